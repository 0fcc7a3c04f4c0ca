/** What can stand in an element; text becomes text and never markup. */
export type Child = Node | string | null | readonly Child[];

/** Attributes of an element; null and false leave one out. */
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Makes an element. */
export function h(name: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  element.append(...nodesOf(children));
  return element;
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null) return [];
    return typeof child === 'string' || child instanceof Node ? [child] : nodesOf(child);
  });
}

/**
 * Makes an element hold these children, and touches only what differs: what has the focus keeps it, what a person opened
 * stays open and what is typed stays typed. Elements with the same `data-key` are the same.
 */
export function show(parent: Element, ...children: readonly Child[]): void {
  const holder = document.createElement('div');
  holder.append(...nodesOf(children));
  patch(parent, [...holder.childNodes]);
}

function patch(parent: Element, wanted: readonly ChildNode[]): void {
  const keyed = new Map([...parent.children].map((child) => [keyOf(child), child]));
  let next: ChildNode | null = parent.firstChild;
  for (const want of wanted) {
    const key = keyOf(want);
    const old = key === null ? likeWise(next, want) : keyed.get(key);
    if (old === undefined || old === null) {
      parent.insertBefore(want, next);
      continue;
    }
    // What stands before it is gone or comes later; it stays in its place, since what is moved loses the focus.
    while (next !== null && next !== old) {
      const gone: ChildNode = next;
      next = next.nextSibling;
      gone.remove();
    }
    next = old.nextSibling;
    update(old, want);
  }
  while (next !== null) {
    const gone: ChildNode = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function likeWise(old: ChildNode | null, want: ChildNode): ChildNode | null {
  return old !== null && old.nodeName === want.nodeName && keyOf(old) === null ? old : null;
}

function keyOf(node: Node): string | null {
  return node instanceof Element ? node.getAttribute('data-key') : null;
}

function update(old: ChildNode, want: ChildNode): void {
  if (!(old instanceof Element) || !(want instanceof Element)) {
    if (old.nodeValue !== want.nodeValue) old.nodeValue = want.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes])
    if (name !== 'open' && !want.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of want.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  patch(old, [...want.childNodes]);
}

/** The element of an id that the page has. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`The page has no #${id}.`);
  return found;
}

/** A button that does something: `name` is what, `value` to what. */
export function button(label: string, name: string, value = '', more: Attributes = {}): HTMLElement {
  return h('button', { type: 'button', 'data-do': name, 'data-value': value, ...more }, label);
}

/** An input with its label. */
export function field(label: string, name: string, more: Attributes = {}): HTMLElement {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', { name, autocomplete: 'off', ...more }),
  );
}

/** A choice with its label. */
export function choice(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
): HTMLElement {
  const items = options.map(([value, text]) => h('option', { value }, text));
  return h('label', { class: 'field' }, h('span', {}, label), h('select', { name }, items));
}

/** A time in RFC 3339 as it is read best: date, time, UTC. */
export function time(at: string): HTMLElement {
  return h('time', { datetime: at }, at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ''));
}

/** A list of names and values; null values are left out. */
export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  const shown = rows.filter(([, value]) => value !== null && value !== '');
  return h(
    'dl',
    {},
    shown.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
}

/** A status in its colour. */
export function badge(status: string): HTMLElement {
  return h('span', { class: `badge ${status.replaceAll(/[^a-z]/g, '')}` }, status);
}

/** The endpoints of the partner API, in the order of its document. */
export const ENDPOINTS = [
  'get-all-coins',
  'get-coin-network',
  'exchange-coin',
  'get-transaction',
  'create-transaction',
  'update-refund-address',
] as const;

/** What a button or a form brings about, with the button's value or the form's fields. */
export type Action = (value: string, fields: Readonly<Record<string, string>>) => Promise<string | null>;

/** One view of the page. */
export interface View {
  readonly title: string;
  /** Reads what it shows; returns null where nothing has changed since, unless it is only now opened. */
  load(isOpened: boolean): Promise<Child | null>;
  /** By the `data-do` of buttons and forms; each returns a message for the person, if any. */
  readonly actions: Readonly<Record<string, Action>>;
}

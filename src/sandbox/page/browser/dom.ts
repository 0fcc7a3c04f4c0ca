import { ENDPOINT_NAMES } from '../../../partner-api/endpoints.ts';

/** What an element can contain; text becomes text and never markup. */
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
    // What is before it is gone or comes later; it is not moved, since a moved element loses the focus.
    removeUntil(next, old);
    next = old.nextSibling;
    update(old, want);
  }
  removeUntil(next, null);
}

function removeUntil(first: ChildNode | null, end: ChildNode | null): void {
  for (let next = first; next !== null && next !== end; ) {
    const gone = next;
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

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`The page has no #${id}.`);
  return found;
}

/** A button: `name` is its action, `value` what it applies to. */
export function button(label: string, name: string, value = '', more: Attributes = {}): HTMLElement {
  return h('button', { type: 'button', 'data-do': name, 'data-value': value, ...more }, label);
}

export function div(className: string, ...children: readonly Child[]): HTMLElement {
  return h('div', { class: className }, ...children);
}

export function code(text: string | null): HTMLElement | null {
  return text === null ? null : h('code', {}, text);
}

/** Text in small letters. */
export function small(...children: readonly Child[]): HTMLElement {
  return h('span', { class: 'small' }, ...children);
}

export function labelled(label: string, control: HTMLElement, more = ''): HTMLElement {
  return h('label', { class: `field${more}` }, h('span', {}, label), control);
}

export function field(label: string, name: string, more: Attributes = {}): HTMLElement {
  return labelled(label, h('input', { name, autocomplete: 'off', ...more }));
}

/** A box to tick, with its label behind it. */
export function box(label: string, name: string, value: string): HTMLElement {
  const input = h('input', { type: 'checkbox', name, value });
  return h('label', { class: 'field check' }, input, h('span', {}, label));
}

export function choice(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
): HTMLElement {
  const items = options.map(([value, text]) => h('option', { value }, text));
  return labelled(label, h('select', { name }, items));
}

/** The choice of an endpoint, or of none in particular. */
export function endpointChoice(none: string): HTMLElement {
  return choice('Endpoint', 'endpoint', [['', none], ...ENDPOINT_NAMES.map((name) => [name, name] as const)]);
}

/** A table with the titles of its columns, and rows of cells; an empty title has no heading. */
export function table(titles: readonly Child[], rows: readonly HTMLElement[]): HTMLElement {
  const heads = titles.map((title) =>
    title === '' ? h('td') : title instanceof Node ? title : h('th', { scope: 'col' }, title),
  );
  return h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows));
}

/** A time in RFC 3339 as date and time, in UTC. */
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

export function badge(status: string): HTMLElement {
  return h('span', { class: `badge ${status.replaceAll(/[^a-z]/g, '')}` }, status);
}

/** The action of a button or a form, with the button's value or the form's fields. */
export type Action = (value: string, fields: Readonly<Record<string, string>>) => Promise<string | null>;

/** What a view shows now. */
interface Loaded {
  /** Text that differs where something has changed. */
  readonly state: string;
  /** Makes the content; called only where the state has changed or the view was just opened. */
  readonly render: () => Child;
}

export interface View {
  readonly title: string;
  load(isOpened: boolean): Promise<Loaded>;
  /** By the `data-do` of buttons and forms; each returns a message for the person, if any. */
  readonly actions: Readonly<Record<string, Action>>;
}

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ENDPOINT_NAMES } from '../../../core/partner-api/endpoints.ts';

/** What a template can hold in an element; text becomes text and never markup. */
export type Child = TemplateResult | typeof nothing | string;

/** Makes an element hold this, and touches only what differs. What has the focus keeps it, what is typed stays typed. */
export function show(parent: HTMLElement, child: Child): void {
  render(child, parent);
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`The page has no #${id}.`);
  return found;
}

/** How a button looks, and whether it can be pressed. */
interface ButtonOptions {
  readonly className?: string | undefined;
  /** Its name for screen readers, where the label is too short. */
  readonly name?: string;
  readonly title?: string;
  readonly isDisabled?: boolean;
}

/** A button: `action` is what it does, `value` what it applies to. */
export function button(
  label: string,
  action: string,
  value = '',
  { className, name, title, isDisabled = false }: ButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    data-do=${action}
    data-value=${value}
    class=${className ?? nothing}
    aria-label=${name ?? nothing}
    title=${title ?? nothing}
    aria-disabled=${isDisabled ? 'true' : nothing}
  >${label}</button>`;
}

/** Text in the font of code; nothing for null. */
export function code(text: string | null): Child {
  return text === null ? nothing : html`<code>${text}</code>`;
}

export function labelled(label: string, control: TemplateResult, className = ''): TemplateResult {
  return html`<label class="field ${className}"><span>${label}</span>${control}</label>`;
}

/** Rules for what can be typed into a field. */
interface FieldOptions {
  readonly isRequired?: boolean;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly title?: string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly size?: number;
}

export function field(label: string, name: string, options: FieldOptions = {}): TemplateResult {
  const { isRequired = false, pattern, placeholder, title, inputMode, size } = options;
  return labelled(
    label,
    html`<input
      name=${name}
      autocomplete="off"
      ?required=${isRequired}
      pattern=${pattern ?? nothing}
      placeholder=${placeholder ?? nothing}
      title=${title ?? nothing}
      inputmode=${inputMode ?? nothing}
      size=${size ?? nothing}
    >`,
  );
}

export function select(label: string, name: string, options: readonly (readonly [string, string])[]) {
  const items = options.map(([value, text]) => html`<option value=${value}>${text}</option>`);
  return labelled(label, html`<select name=${name}>${items}</select>`);
}

/** The choice of an endpoint, or of none in particular. */
export function endpointChoice(none: string): TemplateResult {
  return select('Endpoint', 'endpoint', [['', none], ...ENDPOINT_NAMES.map((name) => [name, name] as const)]);
}

/** A time in RFC 3339 as date and time, in UTC. */
export function time(at: string): TemplateResult {
  return html`<time datetime=${at}>${at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '')}</time>`;
}

/** A list of names and values; empty values are left out. */
export function facts(rows: readonly (readonly [string, Child | null])[]): TemplateResult {
  const shown = rows.filter(([, value]) => value !== null && value !== '' && value !== nothing);
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function badge(status: string): TemplateResult {
  return html`<span class="badge ${status.replaceAll(/[^a-z]/g, '')}">${status}</span>`;
}

/** The action of a button or a form, with the button's value or the form's fields. */
export type Action = (value: string, fields: Readonly<Record<string, string>>) => Promise<string | null>;

export interface View {
  readonly title: string;
  /**
   * What the view shows now: a text that differs where something has changed, and what makes the content, which is called
   * only where the text has changed or the view was just opened.
   */
  load(isOpened: boolean): Promise<{ readonly state: string; readonly render: () => Child }>;
  /** By the `data-do` of buttons and forms; each returns a message for the person, if any. */
  readonly actions: Readonly<Record<string, Action>>;
}

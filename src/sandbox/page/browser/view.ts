import type { Child } from './dom.ts';

/** What a button or a form brings about, with the button's value or the form's fields. */
export type Action = (value: string, fields: Readonly<Record<string, string>>) => Promise<string | null>;

/** One view of the page. */
export interface View {
  readonly title: string;
  /** Reads what it shows; returns null where nothing has changed since, unless it is only now opened. */
  load(isOpened: boolean): Promise<Child | null>;
  /** By the `data-do` of buttons and forms; each returns what is told to the person, if anything. */
  readonly actions: Readonly<Record<string, Action>>;
}

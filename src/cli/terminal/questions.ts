import { InterruptedError } from '../../base/errors.ts';
import type { Visible } from '../../base/text.ts';

/** One thing to choose. */
export interface Choice<T> {
  readonly name: Visible;
  readonly value: T;
  /** Display of the chosen answer, where that is shorter than its name. */
  readonly short?: Visible;
  readonly description?: Visible;
}

/** Checks an answer: true, or a sentence that says what is wrong. */
export type Validate = (answer: string) => true | string | Promise<true | string>;

/** Thrown by a question with `back` for the Esc key: the person wants the question before it. */
export class GoneBack extends Error {
  override readonly name = 'GoneBack';
}

/** Asks a person. With `back`, Esc throws {@link GoneBack}; Ctrl-C and the end of input {@link InterruptedError}. */
export interface Prompter {
  select<T>(question: {
    message: Visible;
    choices: readonly Choice<T>[];
    default?: T;
    back?: boolean;
  }): Promise<T>;
  search<T>(question: {
    message: Visible;
    source: (term: string) => readonly Choice<T>[] | Promise<readonly Choice<T>[]>;
    back?: boolean;
  }): Promise<T>;
  /**
   * `preview` shows, below the question, what an answer would mean; it is called while the person types.
   * `whenEmpty` is shown in place of an empty answer, `inPlace` in place of any, unless it is null. `fresh` ignores input that was typed before the question was on
   * the screen.
   */
  input(question: {
    message: Visible;
    default?: string;
    validate?: Validate;
    whenEmpty?: Visible;
    inPlace?: () => Visible | null;
    preview?: (answer: string) => Promise<Visible>;
    fresh?: boolean;
    back?: boolean;
  }): Promise<string>;
  password(question: { message: Visible; validate?: Validate }): Promise<string>;
  /** Ignores input that was typed before the question was on the screen. */
  confirm(question: { message: Visible; default: boolean; back?: boolean }): Promise<boolean>;
}

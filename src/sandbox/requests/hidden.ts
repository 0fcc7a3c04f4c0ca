import { REDACTED } from './request.ts';

/** Shorter ones are taken out beside their name alone: anywhere else they may be a part of something else. */
const MIN_FOUND = 8;

/** A signature of the API: 64 bytes in hexadecimal. */
const SIGNATURE = /\b(?:[0-9a-f]{128}|[0-9A-F]{128})\b/g;

/** Texts that must not be in the log, and how to take them out of others. */
export class Hidden {
  readonly #values: ReadonlySet<string>;
  #pattern: RegExp | undefined;

  constructor(values: readonly string[]) {
    this.#values = new Set(values.filter(({ length }) => length >= MIN_FOUND));
  }

  /** These and others; itself where the others are known already, or are signatures. */
  with(values: readonly string[]): Hidden {
    const isKnown = (value: string) =>
      value.length < MIN_FOUND || this.#values.has(value) || value.search(SIGNATURE) === 0;
    return values.every(isKnown) ? this : new Hidden([...this.#values, ...values]);
  }

  /** Whether a hidden text or a signature is in another. */
  isIn(text: string): boolean {
    return text.search(this.#all()) >= 0 || text.search(SIGNATURE) >= 0;
  }

  /** The text without them, however they are usually written. */
  takeOutOf(text: string): string {
    return text.replace(this.#all(), REDACTED).replace(SIGNATURE, REDACTED);
  }

  /** One pattern: looking for each by itself took most of the time. */
  #all(): RegExp {
    if (this.#pattern !== undefined) return this.#pattern;
    // Written in other case rather than found in any: that is several times as fast.
    const forms = [...this.#values].flatMap((value) => [
      value,
      value.toLowerCase(),
      value.toUpperCase(),
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
    ]);
    const escaped = [...new Set(forms)].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.#pattern = new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
    return this.#pattern;
  }
}

import { REDACTED } from '../../base/text.ts';
import { ENDPOINT_NAMES } from './endpoints.ts';
import { type Credentials, sign } from './signature.ts';

/** Minimum length of a secret that is redacted anywhere; a shorter one is redacted only as a whole word. */
const MIN_LENGTH_ANYWHERE = 8;
/** Minimum length of a secret that is redacted in data; a shorter one, or one without a letter, could be an amount or memo. */
const MIN_LENGTH_IN_DATA = 4;

/** A signature of the API, by any secret: 64 bytes in hexadecimal. */
const ANY_SIGNATURE = /\b[0-9a-f]{128}\b/gi;

/** Redacts the secret and its signatures. `words`: a text without amounts or memos, so short secrets and any signature too. */
export type Redactor = (text: string, words?: boolean) => string;

/** Whether a text contains the secret, so that it must be neither sent nor repeated. */
export function containsSecret(text: string, { secret }: Pick<Credentials, 'secret'>): boolean {
  return secret.length >= MIN_LENGTH_ANYWHERE && text.includes(secret);
}

/** A {@link Redactor} for what a server may echo; characters escaped in JSON, as `\u0073` for s, are matched too. */
export function createRedactor({ secret }: Credentials): Redactor {
  const signatures = ENDPOINT_NAMES.map((name) => sign(name, secret));
  const plain = new RegExp(signatures.join('|'), 'gi');
  const own = secretPattern(secret);
  const encoded = patternOf(secret.length >= MIN_LENGTH_ANYWHERE ? encodedForms(secret) : []);
  const inData = secret.length >= MIN_LENGTH_IN_DATA && /[^0-9.,+-]/.test(secret);
  return (text, words = false) => {
    const unsigned = text.includes('\\u')
      ? text.replace(HEX_RUN, (run) => withoutSignatures(run, signatures))
      : text.replace(plain, REDACTED);
    const rest = inData || words ? unsigned.replace(own, REDACTED).replace(encoded, REDACTED) : unsigned;
    return words ? rest.replace(ANY_SIGNATURE, REDACTED) : rest;
  };
}

/** A run of hexadecimal digits, each plain or escaped as in JSON. */
const HEX_RUN = /(?:\\+u00(?:3[0-9]|[46][1-6])|[0-9a-f])+/gi;
const HEX_DIGIT = /\\+u00([346][0-9])|[0-9a-f]/gi;

/** Redacts signatures in a run of digits. One pattern for each way to write them took 0.1 s to compile. */
function withoutSignatures(run: string, signatures: readonly string[]): string {
  // A million short runs, as of escaped control characters, took seconds.
  if (signatures.every(({ length }) => run.length < length)) return run;
  const written = [...run.matchAll(HEX_DIGIT)];
  const pieces = written.map(([piece]) => piece);
  let digits = written
    .map(([piece, code]) => (code === undefined ? piece : String.fromCharCode(Number.parseInt(code, 16))))
    .join('')
    .toLowerCase();
  for (const signature of signatures) {
    for (let at = digits.indexOf(signature); at >= 0; at = digits.indexOf(signature)) {
      pieces.splice(at, signature.length, REDACTED);
      digits = `${digits.slice(0, at)} ${digits.slice(at + signature.length)}`;
    }
  }
  return pieces.join('');
}

function patternOf(forms: readonly string[]): RegExp {
  const escaped = [...new Set(forms)].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
}

function secretPattern(secret: string): RegExp {
  const found = inJson(secret);
  if (secret.length >= MIN_LENGTH_ANYWHERE) return new RegExp(found, 'g');
  // A JSON escape may precede the word, and its last character looks like part of it.
  return new RegExp(`(?<=^|[^A-Za-z0-9]|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4})${found}(?![A-Za-z0-9])`, 'g');
}

/** A pattern for a text as it is, as escaped in JSON, and as escaped in JSON within JSON. */
function inJson(text: string): string {
  return text
    .split('')
    .map((unit) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      const literal = unit.replace(/[^A-Za-z0-9]/, '\\$&');
      const short = /["\\/]/.test(unit) ? `\\\\+${literal}|` : '';
      return `(?:${short}\\\\+u${anyCase}|${literal})`;
    })
    .join('');
}

/** Spellings of a secret that hide it from a reader, not from a program: Base64, also inside a longer text, and hexadecimal. */
function encodedForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last digits also depend on what is beside the secret.
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  return [
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
    ...[hex, percent].flatMap((text) => [text, text.toUpperCase()]),
  ];
}

/** Maximum number of remembered secrets whose encoded forms are searched for. */
const MAX_ENCODED_SECRETS = 100;

/** Maximum number of remembered secrets: a client that sends a new key each time must not fill the memory. */
const MAX_SECRETS = 1000;

/** Secrets known by their value, redacted in every usual spelling. */
export class KnownSecrets {
  readonly #values: ReadonlySet<string>;
  #pattern: RegExp | undefined;

  constructor(values: readonly string[]) {
    this.#values = new Set(values.filter(({ length }) => length >= MIN_LENGTH_ANYWHERE).slice(-MAX_SECRETS));
  }

  /** These secrets and others; `this` if all others are known already or are signatures. */
  with(values: readonly string[]): KnownSecrets {
    const isKnown = (value: string) =>
      value.length < MIN_LENGTH_ANYWHERE || this.#values.has(value) || value.search(ANY_SIGNATURE) === 0;
    return values.every(isKnown) ? this : new KnownSecrets([...this.#values, ...values]);
  }

  /** Whether a known secret or a signature is in a text. */
  isIn(text: string): boolean {
    return text.search(this.#all()) >= 0 || text.search(ANY_SIGNATURE) >= 0;
  }

  /** The text without them. */
  redact(text: string): string {
    return text.replace(this.#all(), REDACTED).replace(ANY_SIGNATURE, REDACTED);
  }

  /** One pattern: searching for each secret separately took most of the time. */
  #all(): RegExp {
    if (this.#pattern !== undefined) return this.#pattern;
    // Listing the cases is several times as fast as a case-insensitive pattern.
    const forms = [...this.#values].flatMap((value) => [
      value,
      value.toLowerCase(),
      value.toUpperCase(),
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
    ]);
    for (const value of [...this.#values].slice(0, MAX_ENCODED_SECRETS)) forms.push(...encodedForms(value));
    this.#pattern = patternOf(forms);
    return this.#pattern;
  }
}

import { ENDPOINT_NAMES } from '../partner-api/endpoints.ts';
import type { Credentials } from '../partner-api/signature.ts';
import { sign } from '../partner-api/signature.ts';

/** Length from which a secret is redacted anywhere; a shorter one could be part of any word, so only as a whole word. */
const MIN_LENGTH_ANYWHERE = 8;
/** Length from which a secret is redacted in data; a shorter one, or one without a letter, could be an amount or memo. */
const MIN_LENGTH_IN_DATA = 4;

/**
 * Redacts the secret and its signatures in an answer. `words` says that the answer is a refusal, in which no amount or
 * memo can be lost.
 */
export type Redactor = (text: string, words?: boolean) => string;

/**
 * Makes a {@link Redactor}: a server may send back what it was sent, and answers end up on screens, in logs and in the
 * ledger. Characters that JSON escapes, `\u0073` for an s, are found as well.
 */
export function createRedactor({ secret }: Credentials): Redactor {
  const signatures = ENDPOINT_NAMES.map((name) => sign(name, secret));
  const plain = new RegExp(signatures.join('|'), 'gi');
  const own = secretPattern(secret);
  const inData = secret.length >= MIN_LENGTH_IN_DATA && /[^0-9.,+-]/.test(secret);
  return (text, words = false) => {
    const unsigned = text.includes('\\u')
      ? text.replace(HEX_RUN, (run) => withoutSignatures(run, signatures))
      : text.replace(plain, BLOT);
    return inData || words ? unsigned.replace(own, BLOT) : unsigned;
  };
}

const BLOT = '<redacted>';

/** Hexadecimal digits in a row, each as it is or as JSON may write it. */
const HEX_RUN = /(?:\\+u00(?:3[0-9]|[46][1-6])|[0-9a-f])+/gi;
const HEX_DIGIT = /\\+u00([346][0-9])|[0-9a-f]/gi;

/**
 * A row of digits with its signatures redacted. A pattern with every way to write each of their 768 digits took 0.1 s to
 * make.
 */
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
      pieces.splice(at, signature.length, BLOT);
      digits = `${digits.slice(0, at)} ${digits.slice(at + signature.length)}`;
    }
  }
  return pieces.join('');
}

function secretPattern(secret: string): RegExp {
  const found = inJson(secret);
  if (secret.length >= MIN_LENGTH_ANYWHERE) return new RegExp(found, 'g');
  // Before a word may stand an escape of JSON, whose last character looks like one of the word.
  return new RegExp(`(?<=^|[^A-Za-z0-9]|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4})${found}(?![A-Za-z0-9])`, 'g');
}

/** A pattern for a text as it is, as JSON may write it, and as JSON inside of JSON may. */
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

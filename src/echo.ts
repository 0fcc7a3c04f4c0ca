import type { Visible } from './text.ts';
import { drawn, visible } from './text.ts';

/** Stands for a text that is, or may be, a secret. */
export const REDACTED = '<redacted>';

/** Characters that are searched for credentials; the rest of a longer text is never repeated. */
const MAX_SEARCHED = 1000;
/** Longest text that is repeated whole. */
const MAX_WHOLE = 100;
const [KEPT_START, KEPT_END] = [60, 30];

/** User name and password in a URL, with or without its scheme. */
const USER_INFO = /([a-z][a-z0-9+.-]{0,20}:\/\/)\S*@|[^\s:@]*:\S*@/gi;
/** Values that a URL, a form or a shell line names as secret. */
const NAMED_VALUE = /((?:secret|passw(?:or)?d|token|api[-_]?key|signature)["']?\s*[=:]\s*)[^\s&]+/gi;
const WEBHOOK_SECRET = /whsec_\S*/g;
const PEM = /-----BEGIN.*/s;
/** Keys, tokens and signatures have no shorter words; order numbers, coins and file names rarely have longer ones. */
const LONG_WORD = /[A-Za-z0-9+=]{24,}|\w{50,}/g;
const ETHEREUM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/**
 * What a person typed, for an error message: shortened, and redacted where it may be a credential. Every message that
 * repeats a part of a command line, a variable or a file uses this.
 */
export function echoed(text: string): Visible {
  const rest = visible(withoutCredentials(text.slice(0, MAX_SEARCHED)));
  if (text.length <= MAX_SEARCHED && rest.length <= MAX_WHOLE) return rest;
  const end = text.length <= MAX_SEARCHED ? rest.slice(-KEPT_END) : '';
  return drawn(`${rest.slice(0, KEPT_START)}…${end}`);
}

/** Whether a text has the form of a key, a token or a seed phrase: it is refused where it would be sent. */
export function looksSecret(text: string): boolean {
  return isTwelveWords(text) || PEM.test(text) || /whsec_|[a-z]\w{49}|\w{49}[a-z]/i.test(text);
}

/** Whether a text has twelve words or more and nothing else: a seed phrase, in any language. */
export function isTwelveWords(text: string): boolean {
  const words = text.slice(0, 2048).trim().split(/\s+/);
  return words.length >= 12 && words.every((word) => /^[\p{L}\p{M}]+$/u.test(word));
}

function withoutCredentials(text: string): string {
  if (isTwelveWords(text)) return REDACTED;
  return text
    .replace(PEM, REDACTED)
    .replace(USER_INFO, (_, scheme: string | undefined) => `${scheme ?? ''}${REDACTED}@`)
    .replace(NAMED_VALUE, `$1${REDACTED}`)
    .replace(WEBHOOK_SECRET, REDACTED)
    .replace(LONG_WORD, (word) => (isRandom(word) ? REDACTED : word));
}

/** Words and numbers of any length are not random; letters and digits mixed are. */
function isRandom(word: string): boolean {
  if (ETHEREUM_ADDRESS.test(word)) return false;
  return /[a-z]/i.test(word) && (word.length >= 50 || /[0-9]/.test(word));
}

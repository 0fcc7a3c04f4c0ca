declare const SEEN: unique symbol;

/**
 * Text that is safe to write to a terminal: everything from outside in it has passed {@link visible}. Streams accept only
 * this type, so that unchecked text does not compile. Line breaks and colours in it are our own.
 */
export type Visible = string & { readonly [SEEN]: true };

/**
 * Characters that change what a terminal or a reader sees without being seen: C0 and C1 controls, bidirectional
 * controls, zero-width and other format characters, line separators, lone surrogates, and the blank Braille cell.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The gate: hidden characters are written out, an escape as `<U+001B>`, a line break as `<U+000A>`. */
export function visible(text: string): Visible {
  return pass(
    isPrintableAscii(text)
      ? text
      : text.replace(HIDDEN, (character) => {
          const code = character.codePointAt(0) ?? 0;
          return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
        }),
  );
}

/** A template with slots for visible texts and numbers: `` shown`1 ${visible(coin)} =` ``. */
export function shown(own: TemplateStringsArray, ...parts: readonly (Visible | number | bigint | '')[]) {
  // Not `String.raw`, which takes ten times as long: it was a sixth of the time of an accounting export.
  let text = own[0] ?? '';
  for (let at = 0; at < parts.length; at += 1) text += `${parts[at]}${own[at + 1]}`;
  return pass(text);
}

/** Visible texts one after the other, with a visible text between two of them. */
export function joined(parts: readonly Visible[], between: Visible = NOTHING): Visible {
  return pass(parts.join(between));
}

/** The cells of a row with tabs between them; a tab inside of a cell is a hidden character. */
export function visibleCells(cells: readonly string[]): Visible {
  // One test for the whole row: cell by cell, a list of 10,000 coins takes 5% longer.
  return isPrintableAscii(cells.join('')) ? pass(cells.join('\t')) : joined(cells.map(visible), shown`\t`);
}

/** Our own text with line breaks, such as a help text: hidden characters within its lines are written out. */
export function visibleLines(text: string): Visible {
  return joined(text.split('\n').map(visible), shown`\n`);
}

export function linesOf(text: Visible | ''): Visible[] {
  return text.split('\n').map(pass);
}

/** Marks the output of a drawing function (colours, tables, lines) as visible: it consists of visible texts only. */
export function drawn(text: string): Visible {
  return pass(text);
}

/** A JSON-like value as text, with only the line breaks of `write`; nearly every text has no hidden characters. */
export function visibleJson(value: unknown, write: (value: unknown) => string = JSON.stringify): Visible {
  const text = write(value);
  return /^[\n\x20-\x7e]*$/.test(text) && !/\\[bfnrtu]/.test(text)
    ? pass(text)
    : visibleLines(write(visibleDeep(value)));
}

/** Whether a text holds a character that {@link visible} would have to write out. */
export function hasHiddenCharacters(text: string): boolean {
  return !isPrintableAscii(text) && text.search(HIDDEN) >= 0;
}

/** {@link visible} for every string in a JSON-like value, keys included. */
export function visibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleDeep);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), visibleDeep(item)]));
  return value;
}

/** The only cast of a text to {@link Visible}. */
function pass(text: string): Visible {
  return text as Visible;
}

const NOTHING = pass('');

/** Fast path for nearly every text: Unicode classes are slow, and lists hold tens of thousands of cells. */
function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Number of items of a list that a sentence names; the others are counted. */
export const MAX_LISTED = 20;

/** The first words of a list with a separator, and how many more there are: `a, b and 3 more`. */
export function someOf(words: readonly string[], separator = ', ', most: number = MAX_LISTED): string {
  const first = words.slice(0, most).join(separator);
  return words.length <= most ? first : `${first} and ${words.length - most} more`;
}

/** Replaces a text that is, or may be, a secret. */
export const REDACTED = '<redacted>';

/** Characters that are searched for credentials; the rest of a longer text is never repeated. */
const MAX_SEARCHED = 1000;
/** Maximum length of a text that is repeated in full. */
const MAX_REPEATED = 100;
const [KEPT_START, KEPT_END] = [60, 30];

/** User name and password in a URL, with or without its scheme. */
const USER_INFO = /([a-z][a-z0-9+.-]{0,20}:\/\/)\S*@|[^\s:@]*:\S*@/gi;
/** A name and its value in a URL, a form, a shell line or JSON. */
const NAMED_VALUE = /([\w.-]{1,64})(["']\s*:\s*|["']?\s*=\s*)[^\s&]+/g;
const WEBHOOK_SECRET = /whsec_\S*/g;
export const PEM = /-----BEGIN.*/s;
/** Twelve words or more and nothing else: a seed phrase, in any language. */
export const TWELVE_WORDS = /^\s*(?:[\p{L}\p{M}]+\s+){11,}[\p{L}\p{M}]+\s*$/u;
/** Keys, tokens and signatures have no shorter words; order numbers, coins and file names rarely have longer ones. */
const LONG_WORD = /[A-Za-z0-9+=]{24,}|\w{50,}/g;
const ETHEREUM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** What a person typed, for a message: shortened, redacted where it may be secret. Every such message uses this. */
export function echoed(text: string): Visible {
  if (text === '') return pass('""');
  const rest = visible(withoutCredentials(text.slice(0, MAX_SEARCHED)));
  if (text.length <= MAX_SEARCHED && rest.length <= MAX_REPEATED) return rest;
  const end = text.length <= MAX_SEARCHED ? rest.slice(-KEPT_END) : '';
  return pass(`${rest.slice(0, KEPT_START)}…${end}`);
}

/** Names of flags, headers, fields and parameters whose values are secret, or may be. */
const SECRET_NAME =
  /secret|signature|passw|pwd|passphrase|mnemonic|seed|token|credential|auth|private|cookie|(?:api|public|access)[-_]?key|^x-api-|^(?:key|sig|sign)$/i;

/** Whether a value of this name is secret, or may be: the one list of such names. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function withoutCredentials(text: string): string {
  return text
    .replace(TWELVE_WORDS, REDACTED)
    .replace(PEM, REDACTED)
    .replace(USER_INFO, (_, scheme: string | undefined) => `${scheme ?? ''}${REDACTED}@`)
    .replace(NAMED_VALUE, (whole, name: string, mark: string) =>
      isSecretName(name) ? `${name}${mark}${REDACTED}` : whole,
    )
    .replace(WEBHOOK_SECRET, REDACTED)
    .replace(LONG_WORD, (word) => (isRandom(word) ? REDACTED : word));
}

/** Words and numbers of any length are not random; letters and digits mixed are. */
function isRandom(word: string): boolean {
  if (ETHEREUM_ADDRESS.test(word)) return false;
  return /[a-z]/i.test(word) && (word.length >= 50 || /[0-9]/.test(word));
}

/** The first sentence of a description as a summary: it starts in lower case and has no full stop. */
export function firstSentence(text: string): string {
  const sentence = /^(.*?)\.(?:\s|$)/s.exec(text)?.[1] ?? text;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** A count with its noun: `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A JSON text as a value; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

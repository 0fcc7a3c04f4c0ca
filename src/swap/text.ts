/**
 * Characters that change what a terminal or a reader sees without being seen: C0 and C1 controls, bidirectional
 * controls, zero-width and other format characters, line separators, lone surrogates, and the blank Braille cell.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text with every hidden character written out, an escape as `<U+001B>`; what is printable stays as it is. */
export function visible(text: string): string {
  return isPrintableAscii(text)
    ? text
    : text.replace(HIDDEN, (character) => {
        const code = character.codePointAt(0) ?? 0;
        return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
      });
}

/** Whether a text holds a character that {@link visible} would have to write out. */
export function hasHiddenCharacters(text: string): boolean {
  return !isPrintableAscii(text) && text.search(HIDDEN) >= 0;
}

/** {@link visible} for every string in a JSON-like value, keys included. */
export function visibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleDeep);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), visibleDeep(item)]));
  }
  return value;
}

/** The quick way out for nearly every text: Unicode classes are slow, and lists hold tens of thousands of cells. */
function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

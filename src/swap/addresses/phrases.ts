/** So many characters of a text are searched for secrets: more than the longest memo of any network has. */
export const MAX_SEARCHED = 2048;

/** What a seed phrase is called in a refusal. */
export const SEED_PHRASE = 'a seed phrase';

/** Tells whether a text holds a seed phrase in any language. The lists of words, 170 KB, are read only where one could be. */
export async function hasSeedPhrase(text: string): Promise<boolean> {
  const searched = text.slice(0, MAX_SEARCHED);
  return couldBePhrase(searched) && (await import('./seed-phrase.ts')).holdsSeedPhrase(searched);
}

/** Twelve words of three letters, or of one where they are Chinese; joined without a digit, as few addresses are. */
function couldBePhrase(text: string): boolean {
  // Hexadecimal digits spell short words, and are read as what they are.
  if (text.length < 12 || /^(0x)?[\da-f]+$/i.test(text)) return false;
  if (!/^[\0-\x7f]*$/.test(text)) return true;
  if (/[a-z]{36}/i.test(text)) return true;
  const words = text.match(/[a-z]{3,}|[A-Z][a-z]{2,}|[A-Z]{3,}/g) ?? [];
  if (words.length >= 12) return true;
  return /[\s,;._|/+-]/.test(text) && words.join('').length >= 36;
}

/** Tells whether twelve words or more stand where an address should: a seed phrase, whatever its language. */
export function isTwelveWords(text: string): boolean {
  const words = text.slice(0, MAX_SEARCHED).trim().split(/\s+/);
  return words.length >= 12 && words.every((word) => /^[\p{L}\p{M}]+$/u.test(word));
}

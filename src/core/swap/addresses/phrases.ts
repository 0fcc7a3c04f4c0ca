import { MAX_SEARCHED } from '../secret-forms.ts';

/** Whether a text holds a seed phrase in any language; the lists, 170 KB, are loaded where one is possible. */
export async function hasSeedPhrase(text: string): Promise<boolean> {
  const searched = text.slice(0, MAX_SEARCHED);
  return couldBePhrase(searched) && (await loadWordLists()).holdsSeedPhrase(searched);
}

/** Loads the word lists early: an upgrade may remove the program's files while a response is awaited. */
export function loadWordLists(): Promise<typeof import('./seed-phrase.ts')> {
  return import('./seed-phrase.ts');
}

/** Whether a text is long enough for twelve words, or joined without a digit, as few addresses are. */
function couldBePhrase(text: string): boolean {
  // Hexadecimal digits can spell short words, but are parsed as hexadecimal.
  if (text.length < 12 || /^(0x)?[\da-f]+$/i.test(text)) return false;
  if (!/^[\0-\x7f]*$/.test(text)) return true;
  if (/[a-z]{36}/i.test(text)) return true;
  const words = text.match(/[a-z]{3,}|[A-Z][a-z]{2,}|[A-Z]{3,}/g) ?? [];
  if (words.length >= 12) return true;
  return /[\s,;._|/+-]/.test(text) && words.join('').length >= 36;
}

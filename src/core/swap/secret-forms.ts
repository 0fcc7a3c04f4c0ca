import { PEM, TWELVE_WORDS } from '../../base/text.ts';

/** Characters of a text that are searched for secrets: more than the longest memo of any network. */
export const MAX_SEARCHED = 2048;

export const SEED_PHRASE = 'a seed phrase';

/** Whether a text has the form of a key, a token or a seed phrase: it is refused where it would be sent. */
export function looksSecret(text: string): boolean {
  return isTwelveWords(text) || PEM.test(text) || /whsec_|[a-z]\w{49}|\w{49}[a-z]/i.test(text);
}

/** Whether a text is twelve words or more and nothing else: where none are expected, they are a seed phrase. */
export function isTwelveWords(text: string): boolean {
  return TWELVE_WORDS.test(text.slice(0, MAX_SEARCHED));
}

import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as chineseSimplified } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as chineseTraditional } from '@scure/bip39/wordlists/traditional-chinese.js';

const MIN_WORDS = 12;
/** Words of twelve in a row that must be in one list: a phrase copied by hand has errors. */
const MIN_KNOWN = 10;
const PHRASE_LENGTHS = [12, 15, 18, 21, 24];

/** Letters of the shortest words. */
const HEAD_LENGTH = 3;

type Language = ReturnType<typeof language>;

function language(list: readonly string[]) {
  const words = new Set(list.map((word) => word.normalize('NFKD').toLowerCase().replace(/\P{L}/gu, '')));
  return {
    words,
    /** The first four letters of each word, which identify it in BIP 39. */
    beginnings: new Set([...words].map((word) => word.slice(0, 4))),
    lengths: [...new Set([...words].map(({ length }) => length))],
  };
}

const ALPHABETIC = [english, spanish, french, italian, portuguese, czech, japanese, korean].map(language);
const CHINESE = [chineseSimplified, chineseTraditional].map((list) => new Set(list));

const BY_HEAD: ReadonlyMap<string, readonly Language[]> = byHead(ALPHABETIC);

function byHead(languages: readonly Language[]): Map<string, Language[]> {
  const found = new Map<string, Language[]>();
  for (const one of languages) {
    const heads = new Set([...one.words].map((word) => word.slice(0, HEAD_LENGTH)));
    for (const head of heads) found.set(head, [...(found.get(head) ?? []), one]);
  }
  return found;
}

/**
 * Whether a text holds a seed phrase of BIP 39 in one of its ten languages: spaced, numbered, joined, in any
 * case, with or without accents, with a right checksum or a wrong one, shortened to four letters, with an error or two; or one of Monero's.
 */
export function holdsSeedPhrase(text: string): boolean {
  const words = wordsOf(text);
  return (
    hasRun(words.join('')) ||
    ALPHABETIC.some((list) => hasKnownWords(words, list)) ||
    CHINESE.some((list) => isChinesePhrase(words, list)) ||
    isMoneroPhrase(words)
  );
}

/** Whether twelve words of one list follow each other, with anything between them. */
function hasRun(letters: string): boolean {
  const starts = new Map(ALPHABETIC.map((one) => [one, [] as number[]]));
  for (let at = 0; at < letters.length; at++) {
    for (const one of BY_HEAD.get(letters.slice(at, at + HEAD_LENGTH)) ?? []) starts.get(one)?.push(at);
  }
  return [...starts].some(([one, places]) => isRun(letters, places, one));
}

/** Whether twelve words begin at some of these places, each where the one before ends. */
function isRun(letters: string, places: readonly number[], { words, lengths }: Language): boolean {
  const run = new Uint16Array(letters.length + 1);
  for (const at of places) {
    const next = (run[at] ?? 0) + 1;
    for (const length of lengths) {
      const end = at + length;
      if (next <= (run[end] ?? 0) || !words.has(letters.slice(at, end))) continue;
      if (next >= MIN_WORDS) return true;
      run[end] = next;
    }
  }
  return false;
}

/** Whether ten of twelve words in a row are known; a word of four letters may be the beginning of one. */
function hasKnownWords(words: readonly string[], { words: known, beginnings }: Language): boolean {
  if (words.length < MIN_WORDS) return false;
  const hits = words.map((word) => known.has(word) || (word.length === 4 && beginnings.has(word)));
  return hits.some(
    (_, at) =>
      at + MIN_WORDS <= hits.length && hits.slice(at, at + MIN_WORDS).filter(Boolean).length >= MIN_KNOWN,
  );
}

/** Whether Chinese text is a phrase: of its common characters, separated or exactly as many as a phrase can have. */
function isChinesePhrase(words: readonly string[], known: ReadonlySet<string>): boolean {
  const apart = words.filter((word) => known.has(word)).length;
  if (apart >= MIN_WORDS) return true;
  const characters = [...words.join('')];
  return PHRASE_LENGTHS.includes(characters.length) && characters.every((one) => known.has(one));
}

/** Whether words are a phrase of Monero: the last repeats one of its 24 (or 12); its lists are not BIP 39's. */
function isMoneroPhrase(words: readonly string[]): boolean {
  if (words.length !== 25 && words.length !== 13) return false;
  const last = words.at(-1) ?? '';
  const isRepeated = words.indexOf(last) < words.length - 1;
  return isRepeated && words.every((word) => word.length > 3 || /[^a-z]/.test(word));
}

/** The words of a text in lower case and without accents or other marks (NFKD), separated by anything. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/\P{L}+/u)
    .filter((word) => word !== '');
}

import { bech32, bech32m } from '@scure/base';
import { attempt } from './attempt.ts';
import { rememberLast } from './remember.ts';

/** A decoded bech32 (BIP-173) or bech32m (BIP-350) text: the lower-case prefix and its 5-bit words. */
export interface Bech32Text {
  readonly encoding: 'bech32' | 'bech32m';
  readonly prefix: string;
  readonly words: readonly number[];
}

/**
 * Decodes bech32 or bech32m, in one case; undefined where the text is neither.
 * `limit` is 90 characters in the BIPs; Cardano, Zcash and Litecoin's MWEB go beyond.
 */
export function decodeBech32(text: string, limit: number | false = 90): Bech32Text | undefined {
  return limit !== false && text.length > limit ? undefined : decodeAny(text);
}

const decodeAny = rememberLast((text: string): Bech32Text | undefined => {
  // Looking first is cheaper than the error that a wrong letter throws.
  if (!/^[\x21-\x7e]+1[02-9ac-hj-np-z]{6,}$/i.test(text)) return undefined;
  const plain = attempt(() => bech32.decode(text, false));
  if (plain !== undefined) return { encoding: 'bech32', prefix: plain.prefix, words: plain.words };
  const modified = attempt(() => bech32m.decode(text, false));
  return modified && { encoding: 'bech32m', prefix: modified.prefix, words: modified.words };
});

/** Joins 5-bit words to bytes; undefined where the padding is longer than four bits or not zero. */
export function wordsToBytes(words: readonly number[]): Uint8Array | undefined {
  return attempt(() => bech32.fromWords([...words]));
}

/** Splits bytes into 5-bit words, padded with zero bits. */
export function bytesToWords(bytes: Uint8Array): number[] {
  return bech32.toWords(bytes);
}

/** Encodes 5-bit words as bech32 or bech32m, without a limit of length. */
export function encodeBech32({ encoding, prefix, words }: Bech32Text): string {
  return (encoding === 'bech32' ? bech32 : bech32m).encode(prefix, [...words], false);
}

/** Decodes the bytes of a plain bech32 text with exactly this prefix; undefined for anything else. */
export function decodeBech32Bytes(
  text: string,
  prefix: string,
  limit: number | false = 90,
): Uint8Array | undefined {
  const decoded = decodeBech32(text, limit);
  if (decoded?.encoding !== 'bech32' || decoded.prefix !== prefix) return undefined;
  return wordsToBytes(decoded.words);
}

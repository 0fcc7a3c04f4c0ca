import { bech32, bech32m } from '@scure/base';
import { rememberLast } from './bytes.ts';

/** A decoded bech32 (BIP-173) or bech32m (BIP-350) text: the lower-case prefix and its 5-bit words. */
interface Bech32Text {
  readonly encoding: 'bech32' | 'bech32m';
  readonly prefix: string;
  readonly words: readonly number[];
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

// Change of the checksum for each of the 32 values of its top five bits.
const STEP = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATOR.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
);

// Remainders of the checksum, which distinguish the two encodings.
const BECH32 = 1;
const BECH32M = 0x2bc830a3;

/**
 * Decodes bech32 or bech32m, in one case and of any length, as Cardano, Zcash and Litecoin's MWEB go beyond the 90
 * characters of the BIPs; undefined if the text is neither. bech32 2.0 throws at a wrong checksum, which takes 20 µs
 * instead of 2.
 */
export const decodeBech32 = rememberLast((text: string): Bech32Text | undefined => {
  if (!/^[\x21-\x7e]+1[02-9ac-hj-np-z]{6,}$/i.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const separator = lower.lastIndexOf('1');
  const prefix = lower.slice(0, separator);
  const words = [...lower.slice(separator + 1)].map((letter) => ALPHABET.indexOf(letter));
  const left = polymod([...prefixWords(prefix), ...words]);
  if (left !== BECH32 && left !== BECH32M) return undefined;
  return { encoding: left === BECH32 ? 'bech32' : 'bech32m', prefix, words: words.slice(0, -6) };
});

function prefixWords(prefix: string): number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) sum = ((sum & 0x1ffffff) << 5) ^ word ^ (STEP[sum >>> 25] ?? 0);
  return sum;
}

/** Joins 5-bit words to bytes; undefined if the padding is longer than four bits or not zero. */
export function wordsToBytes(words: readonly number[]): Uint8Array | undefined {
  return bech32.fromWordsUnsafe([...words]) || undefined;
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
export function decodeBech32Bytes(text: string, prefix: string): Uint8Array | undefined {
  const decoded = decodeBech32(text);
  if (decoded?.encoding !== 'bech32' || decoded.prefix !== prefix) return undefined;
  return wordsToBytes(decoded.words);
}

/** A segregated witness program: version 0 to 16, and 2 to 40 bytes. */
export interface WitnessProgram {
  readonly prefix: string;
  readonly version: number;
  readonly program: Uint8Array;
}

/** Decodes a segwit address of any prefix (BIP-173, BIP-350); undefined if any rule is broken. */
export const decodeSegwit = rememberLast((text: string): WitnessProgram | undefined => {
  const decoded = decodeBech32(text);
  const version = decoded?.words[0];
  if (decoded === undefined || version === undefined || version > 16) return undefined;
  if ((decoded.encoding === 'bech32') !== (version === 0)) return undefined;
  const program = wordsToBytes(decoded.words.slice(1));
  if (program === undefined || program.length < 2 || program.length > 40) return undefined;
  if (version === 0 && program.length !== 20 && program.length !== 32) return undefined;
  return { prefix: decoded.prefix, version, program };
});

/** Encodes a segwit address: version 0 as bech32, later ones as bech32m. */
export function encodeSegwit({ prefix, version, program }: WitnessProgram): string {
  const words = [version, ...bytesToWords(program)];
  return encodeBech32({ encoding: version === 0 ? 'bech32' : 'bech32m', prefix, words });
}

import { bytesToWords, wordsToBytes } from './bech32.ts';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/**
 * Decodes a lower-case `prefix:payload` under the 40-bit BCH code of CashAddr (Bitcoin Cash, eCash, Kaspa; Conflux has
 * an alphabet of its own). Gives version byte and hash; undefined where alphabet, checksum or padding is wrong.
 */
export function decodeCashaddr(prefix: string, payload: string, alphabet = ALPHABET): Uint8Array | undefined {
  const words = [...payload].map((letter) => alphabet.indexOf(letter));
  if (words.length < 8 || words.includes(-1)) return undefined;
  if (polymod([...prefixWords(prefix), ...words]) !== 0n) return undefined;
  return wordsToBytes(words.slice(0, -8));
}

/** Encodes version byte and hash as a lower-case CashAddr payload, without `prefix:`. */
export function encodeCashaddr(prefix: string, bytes: Uint8Array, alphabet = ALPHABET): string {
  const words = bytesToWords(bytes);
  const checksum = polymod([...prefixWords(prefix), ...words, 0, 0, 0, 0, 0, 0, 0, 0]);
  const tail = [35n, 30n, 25n, 20n, 15n, 10n, 5n, 0n].map((shift) => Number((checksum >> shift) & 31n));
  return [...words, ...tail].map((word) => alphabet.charAt(word)).join('');
}

function prefixWords(prefix: string): number[] {
  return [...[...prefix].map((letter) => letter.charCodeAt(0) & 31), 0];
}

function polymod(words: readonly number[]): bigint {
  let sum = 1n;
  for (const word of words) {
    const top = sum >> 35n;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    GENERATOR.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) sum ^= generator;
    });
  }
  return sum ^ 1n;
}

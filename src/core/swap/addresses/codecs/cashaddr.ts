import { bytesToWords, wordsToBytes } from './bech32.ts';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

// Numbers of 40 bits in two halves of 20, high and low: a tenth of the time that a bigint takes.
const HALF = 20;
const GENERATOR = [0x98f2bc8e61, 0x79b76d99e2, 0xf33e5fb3c4, 0xae2eabe2a8, 0x1e4f43e470].map(
  (number) => [Math.floor(number / 2 ** HALF), number % 2 ** HALF] as const,
);

/**
 * Decodes a lower-case `prefix:payload` under the 40-bit BCH code of CashAddr (Bitcoin Cash, eCash, Kaspa; Conflux has
 * an alphabet of its own). Gives version byte and hash; undefined if alphabet, checksum or padding is wrong.
 */
export function decodeCashaddr(prefix: string, payload: string, alphabet = ALPHABET): Uint8Array | undefined {
  const words = [...payload].map((letter) => alphabet.indexOf(letter));
  if (words.includes(-1)) return undefined;
  const [high, low] = polymod([...prefixWords(prefix), ...words]);
  return high === 0 && low === 0 ? wordsToBytes(words.slice(0, -8)) : undefined;
}

/** Encodes version byte and hash as a lower-case CashAddr payload, without `prefix:`. */
export function encodeCashaddr(prefix: string, bytes: Uint8Array, alphabet = ALPHABET): string {
  const words = bytesToWords(bytes);
  const checksum = polymod([...prefixWords(prefix), ...words, 0, 0, 0, 0, 0, 0, 0, 0]);
  const tail = checksum.flatMap((half) => [15, 10, 5, 0].map((shift) => (half >> shift) & 31));
  return [...words, ...tail].map((word) => alphabet.charAt(word)).join('');
}

function prefixWords(prefix: string): number[] {
  return [...[...prefix].map((letter) => letter.charCodeAt(0) & 31), 0];
}

function polymod(words: readonly number[]): readonly [high: number, low: number] {
  let high = 0;
  let low = 1;
  for (const word of words) {
    const top = high >> 15;
    high = ((high & 0x7fff) << 5) | (low >> 15);
    low = ((low & 0x7fff) << 5) ^ word;
    for (let bit = 0; bit < GENERATOR.length; bit++) {
      if (((top >> bit) & 1) === 0) continue;
      high ^= GENERATOR[bit]?.[0] ?? 0;
      low ^= GENERATOR[bit]?.[1] ?? 0;
    }
  }
  return [high, low ^ 1];
}

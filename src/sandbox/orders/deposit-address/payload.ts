import { hash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesToWords, encodeBech32 } from '../../../core/swap/addresses/codecs/bech32.ts';
import { attempt } from '../../../core/swap/addresses/codecs/bytes.ts';

/** Inputs from which every address and transaction id of an order is derived. */
export interface PayloadSource {
  readonly network: string;
  /** Sequence or number of the order. */
  readonly index: number | string;
  readonly seed: number | string;
  /** Purpose of the result, so that an order's address, memo and transactions have nothing in common. */
  readonly purpose: string;
}

/** Writes an address or a transaction id in one form; the same source always gives the same text. */
export type Form = (source: PayloadSource) => string;

/** One list of bytes from several. */
export function join(...parts: readonly Iterable<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const MARK = Uint8Array.from(Buffer.from('SANDBOX', 'ascii'));

/** Up to 71 bytes: `SANDBOX` in ASCII, then a hash. No one can have the key to a number chosen this way. */
export function markedBytes(source: PayloadSource, length: number, attempt = 0): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(MARK.subarray(0, length));
  bytes.set(digest(source, attempt).subarray(0, Math.max(0, length - MARK.length)), MARK.length);
  return bytes;
}

/** 32 bytes that begin with `SANDBOX` and are a point of Ed25519, as a wallet's public key must be. */
export function markedPoint(source: PayloadSource): Uint8Array {
  for (let round = 0; ; round += 1) {
    // Every other number is a point, so this takes two rounds on average.
    const bytes = markedBytes(source, 32, round);
    if (attempt(() => ed25519.Point.fromBytes(bytes, true)) !== undefined) return bytes;
  }
}

/**
 * A whole number below 2^bits (at most 256): a different one for every index below that, if the index is a number or an
 * order number of six capitals; for any other text, a hash.
 */
export function distinctNumber(source: PayloadSource, bits: number): bigint {
  const own = ordinal(source.index);
  const offset = wholeNumber(digest({ ...source, index: '' }, 0).subarray(0, 32));
  // An odd factor permutes the numbers below a power of two, so that neighbours look different.
  if (own !== undefined) return BigInt.asUintN(bits, BigInt(own) * 0x9e3779b97f4a7c15n + offset);
  return BigInt.asUintN(bits, wholeNumber(digest(source, 0).subarray(0, 32)));
}

/** An index as a number: itself, or six capitals read in base 26. */
function ordinal(index: number | string): number | undefined {
  if (typeof index === 'number') return Number.isSafeInteger(index) && index >= 0 ? index : undefined;
  if (!/^[A-Z]{6}$/.test(index)) return undefined;
  return [...index].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 65, 0);
}

function digest({ network, index, seed, purpose }: PayloadSource, attempt: number): Buffer {
  const text = JSON.stringify([String(seed), network, purpose, String(index), attempt]);
  return hash('sha512', text, 'buffer');
}

function wholeNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Bytes as text in Bech32 or, if chosen, Bech32m, with a prefix and a checksum. */
export function bech32Text(
  prefix: string,
  bytes: Iterable<number>,
  encoding: 'bech32' | 'bech32m' = 'bech32',
): string {
  return encodeBech32({ encoding, prefix, words: bytesToWords(Uint8Array.from(bytes)) });
}

/** The first 32 bytes of {@link markedBytes} as `0x` and 64 hexadecimal digits. */
export function hexadecimal(source: PayloadSource): string {
  return `0x${bytesToHex(markedBytes(source, 32))}`;
}

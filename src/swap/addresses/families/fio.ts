import { ripemd160 } from '@noble/hashes/legacy.js';
import { base58 } from '@scure/base';
import { decodeBase58 } from '../codecs/base58.ts';
import { sameBytes } from '../codecs/bytes.ts';
import { type ParsedAddress, type ParseFailure, parsedAddress, parseFailure } from '../parsed-address.ts';

/**
 * Parses a FIO public key, which payments go to: `FIO` and base58 of a compressed key and four bytes of its RIPEMD-160.
 * Source: https://dev.fio.net/docs/fio-public-address-private-key-generation
 */
export function parseFio(address: string): ParsedAddress | ParseFailure {
  if (/^[^@\s]+@[^@\s]+$/.test(address)) {
    return parseFailure(
      'This is a FIO handle, which can change hands: a payment needs the public key, FIO….',
    );
  }
  if (!/^FIO[1-9A-HJ-NP-Za-km-z]{50}$/.test(address))
    return parseFailure('A public key is FIO and 50 characters.');
  const bytes = decodeBase58(address.slice(3));
  const key = bytes?.subarray(0, 33);
  if (bytes?.length !== 37 || key === undefined || (key[0] !== 2 && key[0] !== 3)) {
    return parseFailure('The public key has the wrong length.');
  }
  if (!sameBytes(checksum(key), bytes.subarray(33))) {
    return parseFailure('The public key has the wrong checksum.');
  }
  return parsedAddress('public-key', address);
}

/** Writes a compressed public key of 33 bytes as FIO does. */
export function encodeFio(key: Uint8Array): string {
  return `FIO${base58.encode(Uint8Array.from([...key, ...checksum(key)]))}`;
}

function checksum(key: Uint8Array): Uint8Array {
  return ripemd160(key).subarray(0, 4);
}

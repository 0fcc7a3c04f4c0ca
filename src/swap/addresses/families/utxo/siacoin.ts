import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { allZero, sameBytes } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

/**
 * Parses a Siacoin address: 76 lower-case hexadecimal digits, 32 bytes and the first six of their BLAKE2b-256.
 * Source: Address.String in https://github.com/SiaFoundation/core/blob/master/types/types.go
 */
export function parseSiacoin(address: string): ParsedAddress | ParseFailure {
  if (!/^[0-9a-f]{76}$/.test(address)) return parseFailure('An address is 76 lower-case hexadecimal digits.');
  const bytes = hexToBytes(address);
  const hash = bytes.subarray(0, 32);
  if (!sameBytes(checksum(hash), bytes.subarray(32))) {
    return parseFailure('The address has the wrong checksum.');
  }
  return allZero(hash) ? SYSTEM_ADDRESS : parsedAddress('account', address);
}

/** Writes a Siacoin address of a 32-byte hash. */
export function encodeSiacoin(hash: Uint8Array): string {
  return bytesToHex(Uint8Array.from([...hash, ...checksum(hash)]));
}

function checksum(hash: Uint8Array): Uint8Array {
  return blake2b(hash, { dkLen: 32 }).subarray(0, 6);
}

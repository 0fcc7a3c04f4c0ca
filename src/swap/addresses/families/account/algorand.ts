import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad } from '@scure/base';
import { allZero, sameBytes } from '../../codecs/bytes.ts';
import { decodeCanonical } from '../../codecs/canonical.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

/** Parses an Algorand address: base32 of 32 bytes and the last four of their SHA-512/256 (Algorand developer docs). */
export function parseAlgorand(address: string): ParsedAddress | ParseFailure {
  const bytes = address.length === 58 ? decodeCanonical(base32nopad, address) : undefined;
  if (bytes === undefined) return parseFailure('An address is 58 capitals and digits 2-7.');
  const key = bytes.subarray(0, 32);
  if (!sameBytes(sha512_256(key).subarray(28), bytes.subarray(32))) {
    return parseFailure('The address has the wrong checksum.');
  }
  return allZero(key) ? SYSTEM_ADDRESS : parsedAddress('account', address);
}

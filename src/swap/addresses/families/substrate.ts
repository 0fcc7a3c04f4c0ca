import { blake2b } from '@noble/hashes/blake2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { decodeBase58 } from '../codecs/base58.ts';
import { allZero, sameBytes } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

/** Prefixes by network code, each one byte long (ss58-registry.json); 42 is the generic one, which Bittensor uses. */
export const SS58_PREFIXES: ReadonlyMap<string, number> = new Map([
  ['DOT', 0],
  ['KSM', 2],
  ['TAO', 42],
  ['ASTR', 5],
]);

/** Parses an SS58 address of a 32-byte account with exactly the prefix of the chain. */
export function parseSubstrate(address: string, code: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58(address);
  if (bytes?.length !== 35) return parseFailure('The address is not a 32-byte account in SS58.');
  const body = bytes.subarray(0, 33);
  if (body[0] !== SS58_PREFIXES.get(code))
    return parseFailure('The address has the prefix of another chain.');
  if (!sameBytes(checksum(body), bytes.subarray(33)))
    return parseFailure('The address has the wrong checksum.');
  return allZero(body.subarray(1)) ? SYSTEM_ADDRESS : parsedAddress('account', address);
}

/** Encodes a 32-byte account in SS58 with a prefix of one byte (below 64). */
export function encodeSs58(prefix: number, account: Uint8Array): string {
  const body = Uint8Array.from([prefix, ...account]);
  return base58.encode(Uint8Array.from([...body, ...checksum(body)]));
}

function checksum(body: Uint8Array): Uint8Array {
  return blake2b(Uint8Array.from([...utf8ToBytes('SS58PRE'), ...body])).subarray(0, 2);
}

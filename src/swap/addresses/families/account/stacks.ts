import { sha256 } from '@noble/hashes/sha2.js';
import { allZero, sameBytes } from '../../codecs/bytes.ts';
import { c32Digit, c32Letter, decodeC32, encodeC32 } from '../../codecs/c32.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

// SIP-005, "Address versions": https://github.com/stacksgov/sips/blob/main/sips/sip-005/sip-005-blocks-and-transactions.md
const VERSIONS: ReadonlyMap<number, readonly [kind: string, testnet: boolean]> = new Map([
  [22, ['single-signature', false]],
  [20, ['multi-signature', false]],
  [26, ['single-signature', true]],
  [21, ['multi-signature', true]],
]);

/** Parses a Stacks address: `S`, version and c32check of a 20-byte hash with four bytes of double SHA-256. */
export function parseStacks(address: string): ParsedAddress | ParseFailure {
  if (/^S[A-Z\d]+\./.test(address)) {
    return parseFailure('This is a contract of Stacks: a payment needs the address of a wallet.');
  }
  const version = c32Digit(address.charAt(1));
  // 24 bytes take 39 digits at the most.
  const bytes = /^S[A-Z\d]{25,40}$/.test(address) ? decodeC32(address.slice(2), 24) : undefined;
  if (version === undefined || bytes === undefined) {
    return parseFailure('The address has the wrong length or alphabet.');
  }
  const hash = bytes.subarray(0, 20);
  if (!sameBytes(checksum(version, hash), bytes.subarray(20)))
    return parseFailure('The address has the wrong checksum.');
  const [kind, testnet = false] = VERSIONS.get(version) ?? [];
  if (kind === undefined) return parseFailure('The address is not one of Stacks.');
  return allZero(hash) ? SYSTEM_ADDRESS : parsedAddress(kind, address, { testnet });
}

/** Writes a Stacks address of a version and a 20-byte hash. */
export function encodeStacks(version: number, hash: Uint8Array): string {
  return `S${c32Letter(version)}${encodeC32(Uint8Array.from([...hash, ...checksum(version, hash)]))}`;
}

function checksum(version: number, hash: Uint8Array): Uint8Array {
  return sha256(sha256(Uint8Array.from([version, ...hash]))).subarray(0, 4);
}

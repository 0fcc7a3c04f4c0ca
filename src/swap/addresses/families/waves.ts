import { blake2b } from '@noble/hashes/blake2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
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

const ENTITY = 1;
const MAIN = 'W'.charCodeAt(0);
// The test network and the stage network.
const TEST = [...'TS'].map((letter) => letter.charCodeAt(0));

// Public and private keys are both 32 bytes in base58, and cannot be distinguished.
const KEY: ParseFailure = {
  ...parseFailure('This is a key and not an address.'),
  secret: 'a private or public key',
};

/**
 * Parses a Waves address: base58 of 1, the chain's letter, 20 bytes and four of Keccak-256 over BLAKE2b-256.
 * Source: https://docs.waves.tech/en/blockchain/binary-format/address-binary-format
 */
export function parseWaves(address: string): ParsedAddress | ParseFailure {
  if (/^alias:/.test(address))
    return parseFailure('This is an alias: a payment needs the address behind it.');
  const bytes = decodeBase58(address);
  if (bytes?.length === 32) return KEY;
  if (bytes?.length !== 26) return parseFailure('The address has the wrong length or alphabet.');
  const body = bytes.subarray(0, 22);
  const chain = body[1] ?? 0;
  if (body[0] !== ENTITY || (chain !== MAIN && !TEST.includes(chain))) {
    return parseFailure('The address is not one of Waves.');
  }
  if (!sameBytes(checksum(body), bytes.subarray(22)))
    return parseFailure('The address has the wrong checksum.');
  return allZero(body.subarray(2))
    ? SYSTEM_ADDRESS
    : parsedAddress('account', address, { testnet: chain !== MAIN });
}

/** Writes a Waves address of the chain with this letter (W, or T for the test network) and a 20-byte hash. */
export function encodeWaves(chain: string, hash: Uint8Array): string {
  const body = Uint8Array.from([ENTITY, chain.charCodeAt(0), ...hash]);
  return base58.encode(Uint8Array.from([...body, ...checksum(body)]));
}

function checksum(body: Uint8Array): Uint8Array {
  return keccak_256(blake2b(body, { dkLen: 32 })).subarray(0, 4);
}

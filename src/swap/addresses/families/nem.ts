import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { base32nopad } from '@scure/base';
import { allZero, decodeCanonical, sameBytes } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
  UNSPENDABLE,
} from '../parsed-address.ts';

// First byte of an address, the same on NEM and Symbol: main network and test network.
const MAIN = 0x68;
const TEST = 0x98;

interface Chain {
  readonly length: number;
  readonly checksum: (body: Uint8Array) => Uint8Array;
}

// https://nemplatform.com/wp-content/uploads/2020/05/NEM_techRef.pdf (3.1) and
// https://docs.symbol.dev/concepts/cryptography.html#account-address
const CHAINS = {
  XEM: { length: 40, checksum: (body: Uint8Array) => keccak_256(body).subarray(0, 4) },
  XYM: { length: 39, checksum: (body: Uint8Array) => sha3_256(body).subarray(0, 3) },
} satisfies Readonly<Record<string, Chain>>;

// They take the fees for names and for kinds of coins, and nobody has their keys.
const SINKS: ReadonlySet<string> = new Set([
  'NAMESPACEWH4MKFMBCVFERDPOOP4FK7MTBXDPZZA',
  'NBMOSAICOD4F54EE5CDMR23CCBGOAM2XSIUX6TRS',
]);

/** Parses an address of NEM or Symbol: base32 of network, 20 bytes and checksum, plain or in groups of six with hyphens. */
export function parseNem(address: string, code: string): ParsedAddress | ParseFailure {
  const chain = code === 'XEM' || code === 'XYM' ? CHAINS[code] : undefined;
  const plain = withoutHyphens(address);
  const bytes = plain.length === chain?.length ? decodeCanonical(base32nopad, plain) : undefined;
  if (chain === undefined || bytes === undefined) {
    return parseFailure('The address has the wrong length or alphabet.');
  }
  const body = bytes.subarray(0, 21);
  if (!sameBytes(chain.checksum(body), bytes.subarray(21))) {
    return parseFailure('The address has the wrong checksum.');
  }
  if (body[0] !== MAIN && body[0] !== TEST) return parseFailure('The address is not one of this network.');
  if (allZero(body.subarray(1))) return SYSTEM_ADDRESS;
  const sink = SINKS.has(plain) ? UNSPENDABLE : {};
  return parsedAddress('account', plain, { testnet: body[0] === TEST, ...sink });
}

function withoutHyphens(address: string): string {
  return /^(?:[A-Z2-7]{6}-){6}[A-Z2-7]{3,4}$/.test(address) ? address.replaceAll('-', '') : address;
}

/** Writes an address of XEM or XYM on the main (0x68) or test network (0x98), of a 20-byte hash. */
export function encodeNem(code: 'XEM' | 'XYM', network: number, hash: Uint8Array): string {
  const body = Uint8Array.from([network, ...hash]);
  return base32nopad.encode(Uint8Array.from([...body, ...CHAINS[code].checksum(body)]));
}

import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check } from '../codecs/base58.ts';
import { allZero, startsWith } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

// src/lib_crypto/base58.ml and the protocol's contract_hash.ml.
const TEZOS_PREFIXES: readonly (readonly [kind: string, bytes: readonly number[]])[] = [
  ['tz1', [0x06, 0xa1, 0x9f]],
  ['tz2', [0x06, 0xa1, 0xa1]],
  ['tz3', [0x06, 0xa1, 0xa4]],
  ['tz4', [0x06, 0xa1, 0xa6]],
  ['KT1', [0x02, 0x5a, 0x79]],
];

/** Parses a Tezos account (tz1 to tz4) or contract (KT1), without entrypoint. */
export function parseTezos(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  if (bytes === undefined) return parseFailure('The address has the wrong checksum.');
  const [kind] = TEZOS_PREFIXES.find(([, prefix]) => startsWith(bytes, prefix)) ?? [];
  if (kind === undefined || bytes.length !== 23)
    return parseFailure('The address is not a payable one of Tezos.');
  const isBurn = allZero(bytes.subarray(3)) || address.startsWith('tz1burnburnburn');
  return isBurn ? SYSTEM_ADDRESS : parsedAddress(kind, address);
}

// Neo Legacy and Ontology share a version byte: https://docs.neo.org/v2/docs/en-us/tooldev/wallets.html and
// https://github.com/ontio/ontology/blob/master/common/address.go; NEO_N3 has its own: https://docs.neo.org/docs/n3/foundation/Wallet
const NEO_LEGACY = 0x17;
const NEO_N3 = 0x35;

const NEO_OLD =
  'This is the older form (Neo Legacy), whose network was to close in October 2025; Neo NEO_N3 addresses begin with N: use it only if the service says that it pays there.';

// The contracts of the two coins themselves: what is sent to a coin's own contract stays there.
const NEO_NATIVE: ReadonlySet<string> = new Set([
  'NiHURyS83nX2mpxtA7xq84cGxVbHojj5Wc',
  'NepwUjd9GhqgNkrfXaxj9mmsFhFzGoFuWM',
]);

/** Parses an address of Neo (NEO_N3 or Legacy) or Ontology: base58check of a version byte and a 20-byte script hash. */
export function parseNeo(address: string, code: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  const version = bytes?.[0];
  const hash = bytes?.subarray(1);
  if (hash?.length !== 20) return parseFailure('The address has the wrong checksum or length.');
  if (version !== NEO_LEGACY && (version !== NEO_N3 || code === 'ONT')) {
    return parseFailure('The address is not one of this network.');
  }
  // Native contracts of Ontology have the lowest numbers as their hashes.
  if (allZero(hash.subarray(0, 18)) || NEO_NATIVE.has(address)) return SYSTEM_ADDRESS;
  if (version === NEO_N3) return parsedAddress('n3', address);
  return code === 'ONT'
    ? parsedAddress('account', address)
    : parsedAddress('legacy', address, { warnings: [NEO_OLD] });
}

// The account named Blackhole in the genesis block: TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy.
const TRON_BLACK_HOLE = '77944d19c052b73ee2286823aa83f8138cb7032f';

/** Parses a TRON address: base58check of 0x41 and 20 bytes (TRON protocol, account module); the hex form is not taken. */
export function parseTron(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 21) return parseFailure('The address has the wrong checksum or length.');
  if (bytes[0] === 0xa0)
    return parseFailure('This is an address of a TRON test network that no longer exists.');
  if (bytes[0] !== 0x41) return parseFailure('The address is not one of TRON.');
  const hash = bytes.subarray(1);
  // As on Ethereum, the lowest numbers are precompiled contracts.
  if (allZero(hash.subarray(0, 18)) || bytesToHex(hash) === TRON_BLACK_HOLE) return SYSTEM_ADDRESS;
  return parsedAddress('account', address);
}

import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check, decodeBase58CheckXrp, encodeBase58CheckXrp } from '../codecs/base58.ts';
import { allZero, startsWith } from '../codecs/bytes.ts';
import { isOnCurve } from '../codecs/curve.ts';
import {
  accepted,
  KEY_NOT_ON_CURVE,
  type ParseResult,
  REFUSED,
  refused,
  UNSPENDABLE,
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
export function parseTezos(address: string): ParseResult {
  const bytes = decodeBase58Check(address);
  if (bytes === undefined) return REFUSED.checksum;
  const [kind] = TEZOS_PREFIXES.find(([, prefix]) => startsWith(bytes, prefix)) ?? [];
  if (kind === undefined || bytes.length !== 23) return refused('This is not a payable Tezos address.');
  const isBurn = allZero(bytes.subarray(3)) || address.startsWith('tz1burnburnburn');
  return isBurn ? REFUSED.system : accepted(kind, address);
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
export function parseNeo(address: string, code: string): ParseResult {
  const bytes = decodeBase58Check(address);
  const version = bytes?.[0];
  const hash = bytes?.subarray(1);
  if (hash?.length !== 20) return REFUSED.length;
  if (version !== NEO_LEGACY && (version !== NEO_N3 || code === 'ONT'))
    return refused('The address does not belong to this network.');
  // Native contracts of Ontology have the lowest numbers as their hashes.
  if (allZero(hash.subarray(0, 18)) || NEO_NATIVE.has(address)) return REFUSED.system;
  if (version === NEO_N3) return accepted('n3', address);
  if (code === 'ONT') return accepted('account', address);
  return accepted('legacy', address, { warnings: [NEO_OLD] });
}

// The account named Blackhole in the genesis block: TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy.
const TRON_BLACK_HOLE = '77944d19c052b73ee2286823aa83f8138cb7032f';

/** Parses a TRON address: base58check of 0x41 and 20 bytes (TRON protocol, account module); the hex form is not taken. */
export function parseTron(address: string): ParseResult {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 21) return REFUSED.length;
  if (bytes[0] === 0xa0) return refused('This is an address of a TRON test network that no longer exists.');
  if (bytes[0] !== 0x41) return refused('This is not a TRON address.');
  const hash = bytes.subarray(1);
  // As on Ethereum, the lowest numbers are precompiled contracts.
  if (allZero(hash.subarray(0, 18)) || bytesToHex(hash) === TRON_BLACK_HOLE) return REFUSED.system;
  return accepted('account', address);
}

// Version byte of a compressed public key, and the version tags of its two wrappers:
// https://github.com/MinaProtocol/mina/blob/develop/src/lib/base58_check/version_bytes.ml and
// https://github.com/MinaProtocol/mina/blob/develop/src/lib/non_zero_curve_point/non_zero_curve_point.ml
/** Bytes before the 33 bytes of every Mina address. */
export const MINA_PREFIX: readonly number[] = [0xcb, 0x01, 0x01];

/** The prime of the base field of Pallas, y² = x³ + 5: https://github.com/zcash/pasta */
const PALLAS_PRIME = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;

/** Parses a Mina address: base58check of a compressed public key on Pallas, `B62q…`. */
export function parseMina(address: string): ParseResult {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 36 || !startsWith(bytes, MINA_PREFIX)) return REFUSED.length;
  const x = bytes.slice(3, 35);
  const isOdd = bytes[35] ?? 2;
  if (allZero(x) || address.startsWith('B62qiburn')) return REFUSED.system;
  if (isOdd > 1) return refused('This is not a Mina address.');
  return accepted('account', address, isMinaKey(x) ? {} : KEY_NOT_ON_CURVE);
}

/** Whether 32 little-endian bytes are the x of a public key of Mina. */
export function isMinaKey(x: Uint8Array): boolean {
  return isOnCurve(BigInt(`0x${bytesToHex(x.slice().reverse())}`), 5n, PALLAS_PRIME);
}

// ACCOUNT_ZERO and ACCOUNT_ONE begin with 18 zero bytes; the others are the NaN and name-reservation
// black holes (xrpl.org, special addresses).
const XRP_BLACK_HOLES = new Set(['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd']);

const XRP_MAIN = [0x05, 0x44];
const XRP_TEST = [0x04, 0x93];

/** Parses a classic address or an X-address (XLS-5d) of the XRP Ledger; the X-address becomes classic address and tag. */
export function parseXrp(address: string): ParseResult {
  const bytes = decodeBase58CheckXrp(address);
  if (bytes?.length === 21 && bytes[0] === 0)
    return accepted('classic', address, isXrpSystem(bytes.subarray(1), address) ? UNSPENDABLE : {});
  if (bytes?.length === 31) return parseXrpXAddress(bytes);
  return REFUSED.length;
}

function parseXrpXAddress(bytes: Uint8Array): ParseResult {
  const testnet = startsWith(bytes, XRP_TEST);
  if (!testnet && !startsWith(bytes, XRP_MAIN)) return refused('This is not an XRP Ledger address.');
  const account = bytes.subarray(2, 22);
  const flag = bytes[22];
  const low = bytes.subarray(23, 27);
  // Flag 2 announces 64-bit tags, which the ledger does not have.
  if (flag === undefined || flag > 1 || !allZero(bytes.subarray(27)) || (flag === 0 && !allZero(low)))
    return refused('The tag inside the X-address is malformed.');
  const classic = encodeBase58CheckXrp(Uint8Array.from([0, ...account]));
  const tag = low.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const system = isXrpSystem(account, classic) ? UNSPENDABLE : {};
  return accepted('x-address', classic, { testnet, ...system, ...(flag === 1 ? { tag: String(tag) } : {}) });
}

function isXrpSystem(account: Uint8Array, classic: string): boolean {
  return bytesToHex(account).startsWith('00'.repeat(18)) || XRP_BLACK_HOLES.has(classic);
}

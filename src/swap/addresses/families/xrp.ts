import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58CheckXrp, encodeBase58CheckXrp } from '../codecs/base58.ts';
import { allZero, startsWith } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../parsed-address.ts';

// ACCOUNT_ZERO and ACCOUNT_ONE begin with 18 zero bytes; the others are the NaN and name-reservation
// black holes (xrpl.org, special addresses).
const BLACK_HOLES = new Set(['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd']);

const X_MAIN = [0x05, 0x44];
const X_TEST = [0x04, 0x93];

/** Parses a classic address or an X-address (XLS-5d) of the XRP Ledger; the X-address becomes classic address and tag. */
export function parseXrp(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58CheckXrp(address);
  if (bytes?.length === 21 && bytes[0] === 0) return parseClassic(address, bytes.subarray(1));
  if (bytes?.length === 31) return parseXAddress(bytes);
  return parseFailure('The address has the wrong checksum or length.');
}

function parseClassic(address: string, account: Uint8Array): ParsedAddress {
  return parsedAddress('classic', address, isSystemAccount(account, address) ? UNSPENDABLE : {});
}

function parseXAddress(bytes: Uint8Array): ParsedAddress | ParseFailure {
  const testnet = startsWith(bytes, X_TEST);
  if (!testnet && !startsWith(bytes, X_MAIN))
    return parseFailure('The address is not one of the XRP Ledger.');
  const account = bytes.subarray(2, 22);
  const flag = bytes[22];
  const low = bytes.subarray(23, 27);
  // Flag 2 announces 64-bit tags, which the ledger does not have.
  if (flag === undefined || flag > 1 || !allZero(bytes.subarray(27)) || (flag === 0 && !allZero(low))) {
    return parseFailure('The tag inside the X-address is malformed.');
  }
  const classic = encodeBase58CheckXrp(Uint8Array.from([0, ...account]));
  const tag = low.reduceRight((sum, byte) => sum * 256 + byte, 0);
  return parsedAddress('x-address', classic, {
    testnet,
    ...(isSystemAccount(account, classic) ? UNSPENDABLE : {}),
    ...(flag === 1 ? { tag: String(tag) } : {}),
  });
}

function isSystemAccount(account: Uint8Array, classic: string): boolean {
  return bytesToHex(account).startsWith('00'.repeat(18)) || BLACK_HOLES.has(classic);
}

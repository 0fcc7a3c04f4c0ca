import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check } from '../codecs/base58.ts';
import { allZero, startsWith } from '../codecs/bytes.ts';
import { isOnCurve } from '../codecs/curve.ts';
import {
  NO_KEY,
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

// Version byte of a compressed public key, and the version tags of its two wrappers:
// https://github.com/MinaProtocol/mina/blob/develop/src/lib/base58_check/version_bytes.ml and
// https://github.com/MinaProtocol/mina/blob/develop/src/lib/non_zero_curve_point/non_zero_curve_point.ml
/** Bytes before the 33 bytes of every Mina address. */
export const MINA_PREFIX: readonly number[] = [0xcb, 0x01, 0x01];

/** The prime of the base field of Pallas, y² = x³ + 5: https://github.com/zcash/pasta */
const PALLAS_PRIME = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;

/** Parses a Mina address: base58check of a compressed public key on Pallas, `B62q…`. */
export function parseMina(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 36 || !startsWith(bytes, MINA_PREFIX)) {
    return parseFailure('The address has the wrong checksum or length.');
  }
  const x = bytes.slice(3, 35);
  const isOdd = bytes[35] ?? 2;
  if (allZero(x) || address.startsWith('B62qiburn')) return SYSTEM_ADDRESS;
  if (isOdd > 1) return parseFailure('The address is not one of Mina.');
  return parsedAddress('account', address, isMinaKey(x) ? {} : NO_KEY);
}

/** Whether 32 little-endian bytes are the x of a public key of Mina. */
export function isMinaKey(x: Uint8Array): boolean {
  return isOnCurve(BigInt(`0x${bytesToHex(x.slice().reverse())}`), 5n, PALLAS_PRIME);
}

import { base32nopad } from '@scure/base';
import { allZero, decodeCanonical } from '../codecs/bytes.ts';
import { crc16 } from '../codecs/crc.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const ACCOUNT = 6 << 3;
const MUXED = 12 << 3;

/** Parses a G-address, or an M-address as G-address and id, in StrKey form (SEP-23). */
export function parseStellar(address: string): ParsedAddress | ParseFailure {
  const strkey = decodeStrkey(address);
  if (strkey === undefined) return parseFailure('The address has the wrong checksum or length.');
  const { version, payload } = strkey;
  const key = payload.subarray(0, 32);
  if (version === ACCOUNT && payload.length === 32) {
    return allZero(key) ? SYSTEM_ADDRESS : parsedAddress('account', address);
  }
  if (version === MUXED && payload.length === 40) {
    if (allZero(key)) return SYSTEM_ADDRESS;
    const id = payload.subarray(32).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    return parsedAddress('muxed', encodeStrkey(ACCOUNT, key), { memoId: String(id) });
  }
  if (version === 2 << 3) return parseFailure('This is a contract: an ordinary payment cannot reach it.');
  return parseFailure('This is a Stellar key of another kind, not an account.');
}

/** Encodes a StrKey: version byte, payload and CRC-16 in unpadded base32. */
export function encodeStrkey(version: number, payload: Uint8Array): string {
  const body = Uint8Array.from([version, ...payload]);
  const crc = crc16(body);
  return base32nopad.encode(Uint8Array.from([...body, crc & 0xff, crc >> 8]));
}

function decodeStrkey(text: string): { version: number; payload: Uint8Array } | undefined {
  const bytes = /^[A-Z2-7]+$/.test(text) ? decodeCanonical(base32nopad, text) : undefined;
  const version = bytes?.[0];
  if (bytes === undefined || version === undefined || bytes.length < 3) return undefined;
  const payload = bytes.subarray(1, -2);
  return encodeStrkey(version, payload) === text ? { version, payload } : undefined;
}

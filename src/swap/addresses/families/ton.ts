import { bytesToHex } from '@noble/hashes/utils.js';
import { base64, base64url } from '@scure/base';
import { decodeCanonical } from '../codecs/bytes.ts';
import { crc16 } from '../codecs/crc.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const TEST_ONLY = 0x80;
const KINDS: ReadonlyMap<number, string> = new Map([
  [0x11, 'bounceable'],
  [0x51, 'non-bounceable'],
]);

// The elector and the configuration contract live at these numbers in the masterchain.
const MASTERCHAIN_SYSTEM = new Set(['33'.repeat(32), '55'.repeat(32)]);

const MASTERCHAIN = 'This account is in the masterchain, where ordinary wallets are not.';
const RAW =
  'The raw form carries no checksum, and wallets do not accept it: ask for the form that begins with UQ or EQ.';

/** Parses a user-friendly (48 characters of base64 or base64url) or raw (`0:…`) address of TON (TEP-2). */
export function parseTon(address: string): ParsedAddress | ParseFailure {
  const raw = /^(0|-1):([0-9a-f]{64})$/i.exec(address);
  if (raw !== null) return parseRaw(address, raw[1] === '-1', (raw[2] ?? '').toLowerCase());
  const bytes = decodeFriendly(address);
  if (bytes === undefined) return parseFailure('The address has the wrong checksum, length or alphabet.');
  const tag = bytes[0] ?? 0;
  const kind = KINDS.get(tag & ~TEST_ONLY);
  const masterchain = bytes[1] === 0xff;
  if (kind === undefined) return parseFailure('This is a TON key or another thing, not an address.');
  if (!masterchain && bytes[1] !== 0)
    return parseFailure('The address names a workchain that does not exist.');
  if (isSystem(masterchain, bytesToHex(bytes.subarray(2, 34)))) return SYSTEM_ADDRESS;
  return parsedAddress(kind, base64url.encode(bytes), {
    testnet: (tag & TEST_ONLY) !== 0,
    warnings: masterchain ? [MASTERCHAIN] : [],
  });
}

function parseRaw(address: string, masterchain: boolean, account: string): ParsedAddress | ParseFailure {
  if (isSystem(masterchain, account)) return SYSTEM_ADDRESS;
  return parsedAddress('raw', address, {
    checksummed: false,
    warnings: masterchain ? [RAW, MASTERCHAIN] : [RAW],
  });
}

function decodeFriendly(address: string): Uint8Array | undefined {
  if (address.length !== 48) return undefined;
  const bytes = decodeCanonical(base64url, address) ?? decodeCanonical(base64, address);
  if (bytes === undefined) return undefined;
  return crc16(bytes.subarray(0, 34)) === (bytes[34] ?? 0) * 256 + (bytes[35] ?? 0) ? bytes : undefined;
}

function isSystem(masterchain: boolean, account: string): boolean {
  return /^0+$/.test(account) || (masterchain && MASTERCHAIN_SYSTEM.has(account));
}

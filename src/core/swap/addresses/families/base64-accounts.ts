import { bytesToHex } from '@noble/hashes/utils.js';
import { base64, base64url, base64urlnopad } from '@scure/base';
import { decodeBech32 } from '../codecs/bech32.ts';
import { allZero, crc16, decodeCanonical } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, unchecked } from '../parsed-address.ts';

const ARWEAVE_NO_CHECKSUM =
  'Arweave addresses have no checksum, and transactions look the same: compare every character with the source.';

/** Parses an Arweave address: 43 characters of base64url, the SHA-256 of a key (https://docs.arweave.org/developers/arweave-node-server/http-api). */
export function parseArweave(address: string): ParseResult {
  const hash = address.length === 43 ? decodeCanonical(base64urlnopad, address) : undefined;
  // Accounts of many chains are 43 letters of bech32 too, and a quarter of these would pass.
  if (hash === undefined || decodeBech32(address) !== undefined)
    return refused('An address is 43 letters, digits, hyphens and underscores.');
  if (allZero(hash)) return REFUSED.system;
  return unchecked('account', address, ARWEAVE_NO_CHECKSUM);
}

const TON_TEST_ONLY = 0x80;
const TON_KINDS: ReadonlyMap<number, string> = new Map([
  [0x11, 'bounceable'],
  [0x51, 'non-bounceable'],
]);

// The elector and the configuration contract live at these numbers in the masterchain.
const MASTERCHAIN_SYSTEM = new Set(['33'.repeat(32), '55'.repeat(32)]);

const MASTERCHAIN = 'This account is in the masterchain, where ordinary wallets are not.';
const TON_RAW =
  'The raw form has no checksum, and wallets do not accept it: ask for the form that begins with UQ or EQ.';

/** Parses a user-friendly (48 characters of base64 or base64url) or raw (`0:…`) address of TON (TEP-2). */
export function parseTon(address: string): ParseResult {
  const raw = /^(0|-1):([0-9a-f]{64})$/i.exec(address);
  if (raw !== null) {
    const inMasterchain = raw[1] === '-1';
    if (isTonSystem(inMasterchain, (raw[2] ?? '').toLowerCase())) return REFUSED.system;
    return inMasterchain
      ? unchecked('raw', address, TON_RAW, MASTERCHAIN)
      : unchecked('raw', address, TON_RAW);
  }
  const bytes = decodeTonFriendly(address);
  if (bytes === undefined) return refused('The address has the wrong checksum, length or alphabet.');
  const tag = bytes[0] ?? 0;
  const kind = TON_KINDS.get(tag & ~TON_TEST_ONLY);
  const masterchain = bytes[1] === 0xff;
  if (kind === undefined) return refused('This is a TON key or something else, not an address.');
  if (!masterchain && bytes[1] !== 0) return refused('The address names a workchain that does not exist.');
  if (isTonSystem(masterchain, bytesToHex(bytes.subarray(2, 34)))) return REFUSED.system;
  return accepted(kind, base64url.encode(bytes), {
    testnet: (tag & TON_TEST_ONLY) !== 0,
    warnings: masterchain ? [MASTERCHAIN] : [],
  });
}

function decodeTonFriendly(address: string): Uint8Array | undefined {
  if (address.length !== 48) return undefined;
  const bytes = decodeCanonical(base64url, address) ?? decodeCanonical(base64, address);
  if (bytes === undefined) return undefined;
  return crc16(bytes.subarray(0, 34)) === (bytes[34] ?? 0) * 256 + (bytes[35] ?? 0) ? bytes : undefined;
}

function isTonSystem(masterchain: boolean, account: string): boolean {
  return /^0+$/.test(account) || (masterchain && MASTERCHAIN_SYSTEM.has(account));
}

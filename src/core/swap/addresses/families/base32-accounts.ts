import { blake2b } from '@noble/hashes/blake2.js';
import { sha256, sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { base32nopad } from '@scure/base';
import {
  allZero,
  type Checksum,
  crc16,
  decodeCanonical,
  startsWith,
  withChecksum,
  withoutChecksum,
} from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, UNSPENDABLE } from '../parsed-address.ts';

/** Parses an Algorand address: base32 of 32 bytes and the last four of their SHA-512/256 (Algorand developer docs). */
export function parseAlgorand(address: string): ParseResult {
  const bytes = address.length === 58 ? decodeCanonical(base32nopad, address) : undefined;
  if (bytes === undefined) return refused('An address is 58 capitals and digits 2-7.');
  const key = withoutChecksum(bytes, (body) => sha512_256(body).subarray(28));
  if (key === undefined) return REFUSED.checksum;
  return allZero(key) ? REFUSED.system : accepted('account', address);
}

const NANO_ALPHABET = '13456789abcdefghijkmnopqrstuwxyz';

// The first prefix is the one in use.
const NANO_PREFIXES: Readonly<Record<string, readonly string[]>> = { XNO: ['nano_', 'xrb_'], BAN: ['ban_'] };

/** Parses a Nano or Banano account: prefix, 52 characters of key and 8 of checksum (Nano docs, account format). */
export function parseNano(address: string, code: string): ParseResult {
  const prefixes = NANO_PREFIXES[code] ?? [];
  const prefix = prefixes.find((candidate) => address.startsWith(candidate));
  if (prefix === undefined) return refused(`The account must begin with ${prefixes[0]}.`);
  const body = address.slice(prefix.length);
  const key = body.length === 60 ? decodeNanoNumber(body.slice(0, 52), 32) : undefined;
  const checksum = decodeNanoNumber(body.slice(52), 5);
  if (key === undefined || checksum === undefined)
    return refused('The account has the wrong length or alphabet.');
  const expected = blake2b(key, { dkLen: 5 }).reverse();
  if (!startsWith(checksum, [...expected])) return refused('The account has the wrong checksum.');
  return accepted('account', `${prefixes[0]}${body}`, allZero(key) ? UNSPENDABLE : {});
}

// The surplus high bits of the number are zero.
function decodeNanoNumber(text: string, length: number): Uint8Array | undefined {
  const value = base32Number(text, NANO_ALPHABET);
  return value === undefined || value >> BigInt(length * 8) ? undefined : bytesOf(value, length);
}

/** The one big number that a text in base 32 is; undefined if a letter is not of the alphabet. */
function base32Number(text: string, alphabet: string): bigint | undefined {
  let value = 0n;
  for (const letter of text) {
    const digit = alphabet.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 32n + BigInt(digit);
  }
  return value;
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(length * 2, '0'));
}

// Base 32 without I, O, W and Z, behind the country code and two check digits of an IBAN:
// https://github.com/nimiq/core-rs-albatross/blob/albatross/keys/src/address.rs
const NIMIQ_FORM = /^NQ(\d\d)([0-9A-HJ-NP-VXY]{32})$/;

/** Parses a Nimiq address whose groups of four are joined (`joinGroups` does it): NQ, two check digits, 20 bytes. */
export function parseNimiq(address: string): ParseResult {
  const [, check, account] = NIMIQ_FORM.exec(address) ?? [];
  if (check === undefined || account === undefined)
    return refused('An address is NQ, two digits and 32 letters and digits, without I, O, W and Z.');
  if (check !== nimiqCheckDigits(account)) return refused('The address has the wrong check digits.');
  return accepted('account', address, /^0+$/.test(account) ? UNSPENDABLE : {});
}

/** The Nimiq address, without spaces, of an account given as 32 letters of Nimiq's base 32. */
export function encodeNimiq(account: string): string {
  return `NQ${nimiqCheckDigits(account)}${account}`;
}

/** The two digits of ISO 13616 for the letters behind them: 02 to 98. */
function nimiqCheckDigits(account: string): string {
  const digits = [...`${account}NQ00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

// Crockford's alphabet, as SIP-005 of Stacks uses it.
const C32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes bytes, of which one at least is not zero, as c32 (SIP-005). */
function encodeC32(bytes: Uint8Array): string {
  let digits = '';
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  for (; rest > 0n; rest >>= 5n) digits = C32.charAt(Number(rest & 31n)) + digits;
  return '0'.repeat(bytes.findIndex((byte) => byte !== 0)) + digits;
}

/** Decodes c32, a number in base 32 after a zero digit per leading zero byte; undefined if not of `length` bytes. */
function decodeC32(text: string, length: number): Uint8Array | undefined {
  const digits = text.replace(/^0+/, '');
  const value = base32Number(digits, C32);
  if (value === undefined) return undefined;
  const significant = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return text.length - digits.length + significant === length ? bytesOf(value, length) : undefined;
}

// SIP-005, "Address versions": https://github.com/stacksgov/sips/blob/main/sips/sip-005/sip-005-blocks-and-transactions.md
const STACKS_VERSIONS: ReadonlyMap<number, readonly [kind: string, testnet: boolean]> = new Map([
  [22, ['single-signature', false]],
  [20, ['multi-signature', false]],
  [26, ['single-signature', true]],
  [21, ['multi-signature', true]],
]);

/** Parses a Stacks address: `S`, version and c32check of a 20-byte hash with four bytes of double SHA-256. */
export function parseStacks(address: string): ParseResult {
  if (/^S[A-Z\d]+\./.test(address))
    return refused('This is a contract of Stacks: a payment needs the address of a wallet.');
  const version = C32.indexOf(address.charAt(1));
  // 24 bytes take 39 digits at the most.
  const bytes = /^S[A-Z\d]{25,40}$/.test(address) ? decodeC32(address.slice(2), 24) : undefined;
  if (version === -1 || bytes === undefined) return refused('The address has the wrong length or alphabet.');
  const hash = withoutChecksum(bytes, stacksChecksum(version));
  if (hash === undefined) return REFUSED.checksum;
  const [kind, testnet = false] = STACKS_VERSIONS.get(version) ?? [];
  if (kind === undefined) return refused('This is not a Stacks address.');
  return allZero(hash) ? REFUSED.system : accepted(kind, address, { testnet });
}

export function encodeStacks(version: number, hash: Uint8Array): string {
  return `S${C32.charAt(version)}${encodeC32(withChecksum(hash, stacksChecksum(version)))}`;
}

function stacksChecksum(version: number): Checksum {
  return (hash) => sha256(sha256(Uint8Array.from([version, ...hash])));
}

// First byte of an address, the same on NEM and Symbol: main network and test network.
const NEM_MAIN = 0x68;
const NEM_TEST = 0x98;

// https://nemplatform.com/wp-content/uploads/2020/05/NEM_techRef.pdf (3.1) and
// https://docs.symbol.dev/concepts/cryptography.html#account-address
const NEM_CHAINS = {
  XEM: { length: 40, checksum: keccak_256 as Checksum, checksumLength: 4 },
  XYM: { length: 39, checksum: sha3_256 as Checksum, checksumLength: 3 },
} as const;

// They take the fees for names and for kinds of coins, and no one has their keys.
const NEM_SINKS: ReadonlySet<string> = new Set([
  'NAMESPACEWH4MKFMBCVFERDPOOP4FK7MTBXDPZZA',
  'NBMOSAICOD4F54EE5CDMR23CCBGOAM2XSIUX6TRS',
]);

/** Parses an address of NEM or Symbol: base32 of network, 20 bytes and checksum, plain or in groups of six with hyphens. */
export function parseNem(address: string, code: string): ParseResult {
  const { length, checksum, checksumLength } = code === 'XEM' ? NEM_CHAINS.XEM : NEM_CHAINS.XYM;
  const isGrouped = /^(?:[A-Z2-7]{6}-){6}[A-Z2-7]{3,4}$/.test(address);
  const plain = isGrouped ? address.replaceAll('-', '') : address;
  const bytes = plain.length === length ? decodeCanonical(base32nopad, plain) : undefined;
  if (bytes === undefined) return refused('The address has the wrong length or alphabet.');
  const body = withoutChecksum(bytes, checksum, checksumLength);
  if (body === undefined) return REFUSED.checksum;
  if (body[0] !== NEM_MAIN && body[0] !== NEM_TEST)
    return refused('The address does not belong to this network.');
  if (allZero(body.subarray(1))) return REFUSED.system;
  const sink = NEM_SINKS.has(plain) ? UNSPENDABLE : {};
  return accepted('account', plain, { testnet: body[0] === NEM_TEST, ...sink });
}

/** Writes an address of XEM or XYM on the main (0x68) or test network (0x98), of a 20-byte hash. */
export function encodeNem(code: 'XEM' | 'XYM', network: number, hash: Uint8Array): string {
  const { checksum, checksumLength } = NEM_CHAINS[code];
  return base32nopad.encode(withChecksum(Uint8Array.from([network, ...hash]), checksum, checksumLength));
}

const STELLAR_ACCOUNT = 6 << 3;
const STELLAR_MUXED = 12 << 3;

/** Parses a G-address, or an M-address as G-address and id, in StrKey form (SEP-23). */
export function parseStellar(address: string): ParseResult {
  const strkey = decodeStrkey(address);
  if (strkey === undefined) return REFUSED.length;
  const { version, payload } = strkey;
  const key = payload.subarray(0, 32);
  if (version === STELLAR_ACCOUNT && payload.length === 32)
    return allZero(key) ? REFUSED.system : accepted('account', address);
  if (version === STELLAR_MUXED && payload.length === 40) {
    if (allZero(key)) return REFUSED.system;
    const id = payload.subarray(32).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    return accepted('muxed', encodeStrkey(STELLAR_ACCOUNT, key), { memoId: String(id) });
  }
  if (version === 2 << 3) return refused('This is a contract address, which a plain payment cannot reach.');
  return refused('This is a Stellar key of another kind, not an account.');
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
  if (bytes === undefined || version === undefined) return undefined;
  const payload = bytes.subarray(1, -2);
  return encodeStrkey(version, payload) === text ? { version, payload } : undefined;
}

import { blake2b } from '@noble/hashes/blake2.js';
import { decodeBase58Check } from '../codecs/base58.ts';
import { decodeBech32, wordsToBytes } from '../codecs/bech32.ts';
import { startsWith } from '../codecs/bytes.ts';
import { type ParseResult, parsedAddress, parseFailure, SYSTEM_ADDRESS } from '../parsed-address.ts';
import { isBurnHash } from './bitcoin.ts';

interface Transparent {
  readonly version: readonly [number, number];
  readonly kind: string;
  readonly testnet: boolean;
}

// Zcash protocol specification, 5.6.1.1.
const TRANSPARENT: readonly Transparent[] = [
  { version: [0x1c, 0xb8], kind: 'p2pkh', testnet: false },
  { version: [0x1c, 0xbd], kind: 'p2sh', testnet: false },
  { version: [0x1d, 0x25], kind: 'p2pkh', testnet: true },
  { version: [0x1c, 0xba], kind: 'p2sh', testnet: true },
];

interface Bech32Kind {
  readonly kind: 'tex' | 'sapling' | 'unified';
  readonly encoding: 'bech32' | 'bech32m';
  readonly testnet: boolean;
}

// ZIP-320 (TEX), protocol specification 5.6.3.1 (Sapling), ZIP-316 (unified).
const PREFIXES: ReadonlyMap<string, Bech32Kind> = new Map([
  ['tex', { kind: 'tex', encoding: 'bech32m', testnet: false }],
  ['textest', { kind: 'tex', encoding: 'bech32m', testnet: true }],
  ['texregtest', { kind: 'tex', encoding: 'bech32m', testnet: true }],
  ['zs', { kind: 'sapling', encoding: 'bech32', testnet: false }],
  ['ztestsapling', { kind: 'sapling', encoding: 'bech32', testnet: true }],
  ['zregtestsapling', { kind: 'sapling', encoding: 'bech32', testnet: true }],
  ['u', { kind: 'unified', encoding: 'bech32m', testnet: false }],
  ['utest', { kind: 'unified', encoding: 'bech32m', testnet: true }],
  ['uregtest', { kind: 'unified', encoding: 'bech32m', testnet: true }],
]);

const WARNINGS = {
  tex: 'A TEX address can be paid only from a transparent address: pay it only if the service says that it can.',
  sapling: 'This is a shielded (Sapling) address: pay it only if the service says that it can.',
  unified: 'This is a unified, mostly shielded address: pay it only if the service says that it can.',
};

/** Parses transparent, TEX, Sapling and unified addresses of Zcash; Sprout (`zc…`) is no longer payable. */
export function parseZcash(address: string): ParseResult {
  return (
    parseTransparent(address) ??
    parseBech32(address) ??
    parseFailure('The address has the wrong checksum, length or network.')
  );
}

function parseTransparent(address: string): ParseResult | undefined {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 22) return undefined;
  const form = TRANSPARENT.find(({ version }) => startsWith(bytes, version));
  if (form === undefined) return undefined;
  if (isBurnHash(bytes.subarray(2))) return SYSTEM_ADDRESS;
  return parsedAddress(form.kind, address, { testnet: form.testnet });
}

function parseBech32(address: string): ParseResult | undefined {
  const decoded = decodeBech32(address);
  const form = PREFIXES.get(decoded?.prefix ?? '');
  if (decoded === undefined || form === undefined || decoded.encoding !== form.encoding) return undefined;
  const bytes = wordsToBytes(decoded.words);
  if (bytes === undefined || !isWellFormed(form.kind, decoded.prefix, bytes)) return undefined;
  if (form.kind === 'tex' && isBurnHash(bytes)) return SYSTEM_ADDRESS;
  return parsedAddress(form.kind, address.toLowerCase(), {
    testnet: form.testnet,
    warnings: [WARNINGS[form.kind]],
  });
}

function isWellFormed(kind: Bech32Kind['kind'], prefix: string, bytes: Uint8Array): boolean {
  if (kind === 'unified') return decodeReceivers(prefix, bytes) !== undefined;
  return bytes.length === (kind === 'tex' ? 20 : 43);
}

/** One receiver of a unified address: 0 P2PKH, 1 P2SH, 2 Sapling, 3 Orchard, others unknown yet (ZIP-316). */
export interface Receiver {
  readonly typecode: number;
  readonly data: Uint8Array;
}

const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 20],
  [1, 20],
  [2, 43],
  [3, 43],
]);

/**
 * Decodes the receivers inside a unified address: F4Jumble undone, padding checked, items in order.
 * Undefined if ZIP-316 says that a consumer must reject it.
 */
function decodeReceivers(prefix: string, jumbled: Uint8Array): readonly Receiver[] | undefined {
  if (jumbled.length < 48) return undefined;
  const plain = f4Unjumble(jumbled);
  const padding = new TextEncoder().encode(prefix.padEnd(16, '\0'));
  const end = plain.length - padding.length;
  if (!padding.every((byte, i) => byte === plain[end + i])) return undefined;
  const receivers = parseItems(plain.subarray(0, end));
  return receivers !== undefined && isAcceptable(receivers) ? receivers : undefined;
}

function isAcceptable(receivers: readonly Receiver[]): boolean {
  const codes = receivers.map(({ typecode }) => typecode);
  if (codes.some((code, i) => i > 0 && code <= (codes[i - 1] ?? -1))) return false;
  if (codes.includes(0) && codes.includes(1)) return false;
  // 0xE0 to 0xFC are items that a consumer must understand or else reject the whole.
  if (codes.some((code) => code >= 0xe0 && code <= 0xfc)) return false;
  return codes.some((code) => code > 1);
}

function parseItems(bytes: Uint8Array): Receiver[] | undefined {
  const receivers: Receiver[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const type = parseCompactSize(bytes, offset);
    const size = type && parseCompactSize(bytes, type.next);
    if (type === undefined || size === undefined || type.value > 0x02000000) return undefined;
    offset = size.next + size.value;
    if (offset > bytes.length) return undefined;
    if ((LENGTHS.get(type.value) ?? size.value) !== size.value) return undefined;
    receivers.push({ typecode: type.value, data: bytes.slice(size.next, offset) });
  }
  return receivers;
}

// Bitcoin's compactSize in its shortest form; nine-byte numbers exceed every limit here.
function parseCompactSize(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0xff) return undefined;
  if (first < 0xfd) return { value: first, next: at + 1 };
  const width = first === 0xfd ? 2 : 4;
  const digits = bytes.subarray(at + 1, at + 1 + width);
  const value = digits.reduceRight((sum, byte) => sum * 256 + byte, 0);
  if (digits.length < width || value < (width === 2 ? 0xfd : 0x10000)) return undefined;
  return { value, next: at + 1 + width };
}

/** Undoes F4Jumble, the unkeyed four-round Feistel mix of ZIP-316. */
export function f4Unjumble(jumbled: Uint8Array): Uint8Array {
  const leftLength = Math.min(64, Math.floor(jumbled.length / 2));
  const c = jumbled.subarray(0, leftLength);
  const d = jumbled.subarray(leftLength);
  const y = xor(c, roundH(1, d, leftLength));
  const x = xor(d, roundG(1, y, d.length));
  const a = xor(y, roundH(0, x, leftLength));
  const b = xor(x, roundG(0, a, d.length));
  return Uint8Array.from([...a, ...b]);
}

function roundH(round: number, input: Uint8Array, length: number): Uint8Array {
  return blake2b(input, { dkLen: length, personalization: personal('UA_F4Jumble_H', round, 0) });
}

function roundG(round: number, input: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(Math.ceil(length / 64) * 64);
  for (let block = 0; block * 64 < length; block++) {
    output.set(blake2b(input, { personalization: personal('UA_F4Jumble_G', round, block) }), block * 64);
  }
  return output.slice(0, length);
}

function personal(name: string, round: number, block: number): Uint8Array {
  // The number of the block takes two bytes, of which an address needs the lower one.
  return Uint8Array.from([...new TextEncoder().encode(name), round, block, 0]);
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] ?? 0));
}

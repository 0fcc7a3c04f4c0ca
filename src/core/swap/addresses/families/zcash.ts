import { blake2b } from '@noble/hashes/blake2.js';
import { decodeBech32, wordsToBytes } from '../codecs/bech32.ts';
import { accepted, type ParseResult, REFUSED } from '../parsed-address.ts';
import { isBurnHash, parseTransparent } from './bitcoin.ts';

const TEX =
  'A TEX address can be paid only from a transparent address: pay it only if the service says that it can.';
const SAPLING = 'This is a shielded (Sapling) address: pay it only if the service says that it can.';
const UNIFIED = 'This is a unified, mostly shielded address: pay it only if the service says that it can.';

// ZIP-320 (TEX), protocol specification 5.6.3.1 (Sapling), ZIP-316 (unified); the prefixes of the test networks come last.
const KINDS = {
  tex: { encoding: 'bech32m', prefixes: ['tex', 'textest', 'texregtest'], warning: TEX },
  sapling: { encoding: 'bech32', prefixes: ['zs', 'ztestsapling', 'zregtestsapling'], warning: SAPLING },
  unified: { encoding: 'bech32m', prefixes: ['u', 'utest', 'uregtest'], warning: UNIFIED },
};

/** Parses transparent, TEX, Sapling and unified addresses of Zcash; Sprout (`zc…`) is no longer payable. */
export function parseZcash(address: string): ParseResult {
  return parseTransparent(address, 'ZEC') ?? parseBech32(address) ?? REFUSED.network;
}

function parseBech32(address: string): ParseResult | undefined {
  const decoded = decodeBech32(address);
  const bytes = decoded && wordsToBytes(decoded.words);
  if (decoded === undefined || bytes === undefined) return undefined;
  const { prefix } = decoded;
  for (const kind of ['tex', 'sapling', 'unified'] as const) {
    const { encoding, prefixes, warning } = KINDS[kind];
    if (!prefixes.includes(prefix)) continue;
    const isWhole =
      kind === 'unified' ? isUnified(prefix, bytes) : bytes.length === (kind === 'tex' ? 20 : 43);
    if (decoded.encoding !== encoding || !isWhole) return undefined;
    if (kind === 'tex' && isBurnHash(bytes)) return REFUSED.system;
    const testnet = prefix !== prefixes[0];
    return accepted(kind, address.toLowerCase(), { testnet, warnings: [warning] });
  }
  return undefined;
}

/** Bytes of the known receivers: P2PKH, P2SH, Sapling, Orchard (ZIP-316). */
const RECEIVER_LENGTHS = [20, 20, 43, 43];

/** Whether ZIP-316 lets a consumer take a unified address: F4Jumble undone, padding checked, receivers in order. */
function isUnified(prefix: string, jumbled: Uint8Array): boolean {
  if (jumbled.length < 48) return false;
  const plain = f4Unjumble(jumbled);
  const padding = new TextEncoder().encode(prefix.padEnd(16, '\0'));
  const end = plain.length - padding.length;
  if (!padding.every((byte, i) => byte === plain[end + i])) return false;
  const codes = typecodesOf(plain.subarray(0, end));
  return codes !== undefined && isAcceptable(codes);
}

function isAcceptable(codes: readonly number[]): boolean {
  if (codes.some((code, i) => i > 0 && code <= (codes[i - 1] ?? -1))) return false;
  if (codes.includes(0) && codes.includes(1)) return false;
  // 0xE0 to 0xFC are items that a consumer must understand or else reject the whole.
  if (codes.some((code) => code >= 0xe0 && code <= 0xfc)) return false;
  return codes.some((code) => code > 1);
}

function typecodesOf(bytes: Uint8Array): number[] | undefined {
  const codes: number[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const type = parseCompactSize(bytes, offset);
    const size = type && parseCompactSize(bytes, type.next);
    if (type === undefined || size === undefined || type.value > 0x02000000) return undefined;
    offset = size.next + size.value;
    if (offset > bytes.length) return undefined;
    if ((RECEIVER_LENGTHS[type.value] ?? size.value) !== size.value) return undefined;
    codes.push(type.value);
  }
  return codes;
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
  for (let block = 0; block * 64 < length; block++)
    output.set(blake2b(input, { personalization: personal('UA_F4Jumble_G', round, block) }), block * 64);
  return output.slice(0, length);
}

function personal(name: string, round: number, block: number): Uint8Array {
  // The number of the block takes two bytes, of which an address needs the lower one.
  return Uint8Array.from([...new TextEncoder().encode(name), round, block, 0]);
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] ?? 0));
}

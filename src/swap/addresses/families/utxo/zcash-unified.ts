import { blake2b } from '@noble/hashes/blake2.js';

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
 * Undefined where ZIP-316 says that a consumer must reject it.
 */
export function decodeReceivers(prefix: string, jumbled: Uint8Array): readonly Receiver[] | undefined {
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

/** Applies F4Jumble, to encode unified addresses. */
export function f4Jumble(plain: Uint8Array): Uint8Array {
  const leftLength = Math.min(64, Math.floor(plain.length / 2));
  const a = plain.subarray(0, leftLength);
  const b = plain.subarray(leftLength);
  const x = xor(b, roundG(0, a, b.length));
  const y = xor(a, roundH(0, x, leftLength));
  const d = xor(x, roundG(1, y, b.length));
  const c = xor(y, roundH(1, d, leftLength));
  return Uint8Array.from([...c, ...d]);
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
  return Uint8Array.from([...new TextEncoder().encode(name), round, block & 0xff, block >> 8]);
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] ?? 0));
}

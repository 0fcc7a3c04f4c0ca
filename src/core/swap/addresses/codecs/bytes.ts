import type { BytesCoder } from '@scure/base';

/** Whether the bytes begin with the given ones. */
export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, i) => byte === bytes[i]);
}

export function allZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** A hash whose first bytes are the checksum behind a payload. */
export type Checksum = (payload: Uint8Array) => Uint8Array;

/** A payload with the first `length` bytes of its checksum behind it. */
export function withChecksum(payload: Uint8Array, checksum: Checksum, length = 4): Uint8Array {
  return Uint8Array.from([...payload, ...checksum(payload).subarray(0, length)]);
}

/** The payload of bytes that end with its checksum; undefined if that is missing or wrong. */
export function withoutChecksum(bytes: Uint8Array | undefined, checksum: Checksum, length = 4) {
  if (bytes === undefined || bytes.length <= length) return undefined;
  const payload = bytes.slice(0, -length);
  const expected = checksum(payload).subarray(0, length);
  return expected.every((byte, at) => byte === bytes[payload.length + at]) ? payload : undefined;
}

/** Undefined if a decoder throws. Wrap only the decoding: it hides every error. */
export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Decodes a text that must be exactly the encoding of its bytes: no stray bits, no padding, no other case. */
export function decodeCanonical(coder: BytesCoder, text: string): Uint8Array | undefined {
  const bytes = attempt(() => coder.decode(text));
  return bytes !== undefined && coder.encode(bytes) === text ? bytes : undefined;
}

/** A decoder that caches its last text: 200 networks are asked in turn, and most decode one of four encodings. */
export function rememberLast<T>(decode: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: decode(text) };
    return last.result;
  };
}

/** CRC-16/XMODEM (polynomial 0x1021, start 0): the checksum of Stellar and TON addresses. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc;
}

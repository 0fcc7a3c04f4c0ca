/** Whether two byte arrays hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Whether the bytes begin with the given ones. */
export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, i) => byte === bytes[i]);
}

/** Whether every byte is zero. */
export function allZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

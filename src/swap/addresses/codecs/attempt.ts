/** Runs a decoder that throws on malformed text; undefined stands for malformed, so wrap nothing but the decoding. */
export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

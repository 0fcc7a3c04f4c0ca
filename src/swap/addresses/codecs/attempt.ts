/**
 * Runs a decoder that throws on malformed text, and returns undefined then. Wrap only the decoding: it hides every
 * error.
 */
export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

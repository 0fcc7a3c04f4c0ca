import type { BytesCoder } from '@scure/base';
import { attempt } from './attempt.ts';

/** Decodes a text that must be exactly the encoding of its bytes: no stray bits, no padding, no other case. */
export function decodeCanonical(coder: BytesCoder, text: string): Uint8Array | undefined {
  const bytes = attempt(() => coder.decode(text));
  return bytes !== undefined && coder.encode(bytes) === text ? bytes : undefined;
}

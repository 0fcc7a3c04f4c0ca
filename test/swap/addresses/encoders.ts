import { crc32 } from 'node:zlib';
import { base58 } from '@scure/base';
import { encode as encodeCbor, Token, Type } from 'cborg';

/** Joins byte arrays. */
export const bytes = (...parts: Iterable<number>[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/**
 * Writes a Byron address of Cardano as old wallets did, also with what no wallet writes: another type or length.
 * `path` is the encrypted derivation path, `magic` the number of a test network.
 */
export function byron(root: Uint8Array, path?: Uint8Array, magic?: number, type = 0): string {
  const attributes = new Map<number, Uint8Array>();
  if (path !== undefined) attributes.set(1, encodeCbor(path));
  if (magic !== undefined) attributes.set(2, encodeCbor(magic));
  const payload = encodeCbor([root, attributes, type]);
  const wrapped = { payload };
  const outer = encodeCbor([wrapped, crc32(payload)], {
    typeEncoders: {
      Object: (value: typeof wrapped) => [new Token(Type.tag, 24), new Token(Type.bytes, value.payload)],
    },
  });
  return base58.encode(outer);
}

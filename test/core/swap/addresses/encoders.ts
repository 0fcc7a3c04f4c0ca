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
export function byron(
  root: Uint8Array,
  path?: Uint8Array | number,
  magic?: number | Uint8Array,
  type = 0,
): string {
  const attributes = new Map<number, Uint8Array>();
  if (path !== undefined) attributes.set(1, encodeCbor(path));
  if (magic !== undefined) attributes.set(2, encodeCbor(magic));
  return byronOf([root, attributes, type]);
}

/** Writes any content as a Byron address. */
export function byronOf(content: readonly unknown[]): string {
  // In the order given, also with a key twice.
  const payload = encodeCbor(content, { mapSorter: () => 0 });
  const wrapped = { payload };
  const outer = encodeCbor([wrapped, crc32(payload)], {
    typeEncoders: {
      Object: (value: typeof wrapped) => [new Token(Type.tag, 24), new Token(Type.bytes, value.payload)],
    },
  });
  return base58.encode(outer);
}

// Rows of the generator matrix G of Flow's [64,45,7] code, https://github.com/onflow/flow-go/blob/master/model/flow/address.go;
// what reads the addresses knows only the parity-check matrix H.
const FLOW_ROWS = `
  e467b9dd11fa00df f233dcee88fe0abe f919ee77447b7497 fc8cf73ba23a260d fe467b9dd11ee2a1 ff233dcee888d807
  ff919ee774476ce6 7fc8cf73ba231d10 3fe467b9dd11b183 1ff233dcee8f96d6 8ff919ee774757ba 47fc8cf73ba2b331
  23fe467b9dd27f6c 11ff233dceee8e82 88ff919ee775dd8f 447fc8cf73b905e4 a23fe467b9de0d83 d11ff233dce8d5a7
  e88ff919ee73c38a 7447fc8cf73f171f ba23fe467b9dcb2b dd11ff233dcb0cb4 ee88ff919ee26c5d 77447fc8cf775dd3
  3ba23fe467b9b5a1 9dd11ff233d9117a cee88ff919efa640 e77447fc8cf3e297 73ba23fe467fabd2 b9dd11ff233fb16c
  dcee88ff919adde7 ee77447fc8ceb196 f73ba23fe4621cd0 7b9dd11ff2379ac3 3dcee88ff91df46c 9ee77447fc88e702
  cf73ba23fe4131b6 67b9dd11ff240f9a 33dcee88ff90f9e0 19ee77447fcff4e3 8cf73ba23fe64091 467b9dd11ff115c7
  233dcee88ffdb735 919ee77447fe2309 c8cf73ba23fdc736`
  .trim()
  .split(/\s+/)
  .map((row) => BigInt(`0x${row}`));

/** Writes the Flow account with this number (below 2^45) on the main network, or on another, shifted by its word. */
export function flowAccount(number: bigint, shift = 0n): string {
  const word = FLOW_ROWS.reduce((sum, row, bit) => ((number >> BigInt(bit)) & 1n ? sum ^ row : sum), 0n);
  return `0x${(word ^ shift).toString(16).padStart(16, '0')}`;
}

import { blake2b } from '@noble/hashes/blake2.js';
import { expect, test } from 'vitest';
import { bytesToWords, encodeBech32 } from '../../../../src/core/swap/addresses/codecs/bech32.ts';
import { f4Unjumble, parseZcash } from '../../../../src/core/swap/addresses/families/zcash.ts';
import { bytes } from './encoders.ts';

/** F4Jumble of ZIP 316, which encoders of unified addresses apply. */
function f4Jumble(plain: Uint8Array): Uint8Array {
  const length = Math.min(64, Math.floor(plain.length / 2));
  const hash = (input: Uint8Array, kind: string, round: number, block: number, dkLen: number) =>
    blake2b(input, { dkLen, personalization: bytes(Buffer.from(`UA_F4Jumble_${kind}`), [round, block, 0]) });
  const long = (input: Uint8Array, round: number, size: number) => {
    const blocks = Array.from({ length: Math.ceil(size / 64) }, (_, block) => [
      ...hash(input, 'G', round, block, 64),
    ]);
    return Uint8Array.from(blocks.flat().slice(0, size));
  };
  const xor = (one: Uint8Array, other: Uint8Array) => one.map((byte, i) => byte ^ (other[i] ?? 0));
  const [a, b] = [plain.subarray(0, length), plain.subarray(length)];
  const x = xor(b, long(a, 0, b.length));
  const y = xor(a, hash(x, 'H', 0, 0, length));
  const d = xor(x, long(y, 1, b.length));
  return bytes(xor(y, hash(d, 'H', 1, 0, length)), d);
}

/** A typecode, or the bytes that stand for it, and the length of what follows. */
type Item = readonly [typecode: number | readonly number[], length: number];

/** Bitcoin's compactSize. */
function compactSize(value: number): readonly number[] {
  if (value < 0xfd) return [value];
  const width = value <= 0xffff ? 2 : 4;
  return [width === 2 ? 0xfd : 0xfe, ...Array.from({ length: width }, (_, i) => (value >> (8 * i)) & 0xff)];
}

function unified(items: readonly Item[], prefix = 'u', padding = prefix): string {
  const body = items.flatMap(([typecode, length]) => [
    ...(typeof typecode === 'number' ? compactSize(typecode) : typecode),
    ...compactSize(length),
    ...new Uint8Array(length).fill(9),
  ]);
  const jumbled = f4Jumble(bytes(body, Buffer.from(padding.padEnd(16, '\0'))));
  return encodeBech32({ encoding: 'bech32m', prefix, words: bytesToWords(jumbled) });
}

const P2PKH: Item = [0, 20];
const P2SH: Item = [1, 20];
const SAPLING: Item = [2, 43];
const ORCHARD: Item = [3, 43];

test('f4Unjumble reverses F4Jumble for every possible address length', () => {
  for (let length = 48; length < 160; length++) {
    const plain = Uint8Array.from({ length }, (_, i) => (i * 37) & 255);
    expect(f4Unjumble(f4Jumble(plain))).toEqual(plain);
  }
});

test.each([
  ['Orchard alone', [ORCHARD]],
  ['Sapling and a transparent key', [P2PKH, SAPLING]],
  ['transparent, Sapling and Orchard receivers', [P2SH, SAPLING, ORCHARD]],
  ['an unknown receiver', [SAPLING, [0x20, 11]]],
  [
    'unknown receivers with long typecodes',
    [SAPLING, [0xfd, 1], [0x100, 253], [0x10000, 1], [0x02000000, 1]],
  ],
] satisfies [string, Item[]][])('a Zcash unified address with %s is accepted', (_, items) => {
  expect(parseZcash(unified(items))).toMatchObject({ ok: true, kind: 'unified', testnet: false });
  expect(parseZcash(unified(items, 'utest'))).toMatchObject({ ok: true, testnet: true });
  expect(parseZcash(unified(items, 'uregtest'))).toMatchObject({ ok: true, testnet: true });
});

test.each([
  ['receivers out of order', [ORCHARD, SAPLING]],
  ['a receiver twice', [SAPLING, SAPLING]],
  ['two transparent receivers', [P2PKH, P2SH, ORCHARD]],
  ['only a transparent receiver', [P2PKH, [1, 20]]],
  ['a receiver of the wrong length', [[3, 42]]],
  ['a Sapling receiver of the wrong length', [[2, 42], ORCHARD]],
  ['a key hash of the wrong length', [[0, 19], ORCHARD]],
  ['a script hash of the wrong length', [[1, 21], ORCHARD]],
  ['an unknown mandatory item', [ORCHARD, [0xe0, 4]]],
  ['the highest unknown mandatory item', [ORCHARD, [0xfc, 4]]],
  ['a typecode beyond the highest', [ORCHARD, [0x02000001, 4]]],
  ['a number of two bytes that fits into one', [ORCHARD, [[0xfd, 0xfc, 0], 4]]],
  ['a number of four bytes that fits into two', [ORCHARD, [[0xfe, 0xff, 0xff, 0, 0], 4]]],
] satisfies [string, Item[]][])('a Zcash unified address with %s is rejected', (_, items) => {
  expect(parseZcash(unified(items)).ok).toBe(false);
});

test.each([
  ['tex', 'tex', 20],
  ['textest', 'tex', 20],
  ['texregtest', 'tex', 20],
  ['zs', 'sapling', 43],
  ['ztestsapling', 'sapling', 43],
  ['zregtestsapling', 'sapling', 43],
])('Zcash prefix %s means an address of kind %s', (prefix, kind, length) => {
  const words = bytesToWords(new Uint8Array(length).fill(7));
  const encoding = kind === 'tex' ? 'bech32m' : 'bech32';
  const testnet = prefix.includes('test');
  expect(parseZcash(encodeBech32({ encoding, prefix, words }))).toMatchObject({ ok: true, kind, testnet });
  expect(parseZcash(encodeBech32({ encoding, prefix, words: words.slice(8) })).ok).toBe(false);
});

test('a Zcash unified address whose padding names another network is rejected', () => {
  expect(parseZcash(unified([ORCHARD], 'u', 'utest')).ok).toBe(false);
});

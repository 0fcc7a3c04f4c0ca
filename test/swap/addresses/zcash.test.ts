import { expect, test } from 'vitest';
import { bytesToWords, encodeBech32 } from '../../../src/swap/addresses/codecs/bech32.ts';
import { f4Jumble, f4Unjumble, parseZcash } from '../../../src/swap/addresses/families/zcash.ts';
import { bytes } from './encoders.ts';

type Item = readonly [typecode: number, length: number];

function unified(items: readonly Item[], prefix = 'u', padding = prefix): string {
  const body = items.flatMap(([typecode, length]) => [typecode, length, ...new Uint8Array(length).fill(9)]);
  const jumbled = f4Jumble(bytes(body, Buffer.from(padding.padEnd(16, '\0'))));
  return encodeBech32({ encoding: 'bech32m', prefix, words: bytesToWords(jumbled) });
}

const P2PKH: Item = [0, 20];
const P2SH: Item = [1, 20];
const SAPLING: Item = [2, 43];
const ORCHARD: Item = [3, 43];

test('F4Jumble is undone for every length that an address can have', () => {
  for (let length = 48; length < 160; length++) {
    const plain = Uint8Array.from({ length }, (_, i) => (i * 37) & 255);
    expect(f4Unjumble(f4Jumble(plain))).toEqual(plain);
  }
});

test.each([
  ['Orchard alone', [ORCHARD]],
  ['Sapling and a transparent key', [P2PKH, SAPLING]],
  ['everything', [P2SH, SAPLING, ORCHARD]],
  ['a receiver of the future', [SAPLING, [0x20, 11]]],
] satisfies [string, Item[]][])('a unified address with %s is taken', (_, items) => {
  expect(parseZcash(unified(items))).toMatchObject({ ok: true, kind: 'unified', testnet: false });
  expect(parseZcash(unified(items, 'utest'))).toMatchObject({ ok: true, testnet: true });
});

test.each([
  ['receivers out of order', [ORCHARD, SAPLING]],
  ['a receiver twice', [SAPLING, SAPLING]],
  ['two transparent receivers', [P2PKH, P2SH, ORCHARD]],
  ['only a transparent receiver', [P2PKH, [1, 20]]],
  ['a receiver of the wrong length', [[3, 42]]],
  ['an item that must be understood', [ORCHARD, [0xe0, 4]]],
] satisfies [string, Item[]][])('a unified address with %s is refused', (_, items) => {
  expect(parseZcash(unified(items)).ok).toBe(false);
});

test('a unified address whose padding names another network is refused', () => {
  expect(parseZcash(unified([ORCHARD], 'u', 'utest')).ok).toBe(false);
});

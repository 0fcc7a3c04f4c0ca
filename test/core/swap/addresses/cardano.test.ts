import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCardano } from '../../../../src/core/swap/addresses/families/cardano.ts';
import { byron, byronOf, bytes } from './encoders.ts';
import { raw } from './samples.ts';

test('a Cardano Byron address with a network magic belongs to a test network', () => {
  const magics = fc.oneof(fc.constantFrom(0, 1, 2, 42, 764824073, 1097911063), fc.nat());
  const property = fc.property(raw(28), fc.option(raw(28)), magics, (root, path, magic) => {
    expect(parseCardano(byron(root, path ?? undefined, magic))).toMatchObject({ ok: true, testnet: true });
  });
  fc.assert(property, { numRuns: 300 });
});

test('a Cardano Byron address with a bad root, type, path, magic or trailing bytes is rejected', () => {
  const root = new Uint8Array(28).fill(7);
  expect(parseCardano(byron(root)).ok).toBe(true);
  expect(parseCardano(byron(new Uint8Array(27).fill(7))).ok).toBe(false);
  expect(parseCardano(byron(root, undefined, undefined, 2)).ok).toBe(true);
  expect(parseCardano(byron(root, undefined, undefined, 3)).ok).toBe(false);
  expect(parseCardano(base58.encode(bytes(base58.decode(byron(root)), [0]))).ok).toBe(false);
  expect(parseCardano(byron(root, 7)).ok).toBe(false);
  expect(parseCardano(byron(root, undefined, new Uint8Array(4))).ok).toBe(false);
});

const SEVEN = Uint8Array.of(7);

test.each([
  ['another attribute', true, new Map([[3, SEVEN]]), 0],
  ['an attribute that is no CBOR', false, new Map([[3, Uint8Array.of(0x18)]]), 0],
  ['the attribute 256', false, new Map([[256, SEVEN]]), 0],
  ['an attribute without a number', false, new Map([['3', SEVEN]]), 0],
  ['an attribute twice', false, new Map<unknown, unknown>().set(3, SEVEN).set(3n, SEVEN), 0],
  ['attributes in a list', false, [], 0],
  ['a type in bytes', false, new Map(), Uint8Array.of(0)],
])('a Cardano Byron address with %s is accepted: %s', (_, isValid, attributes, type) => {
  expect(parseCardano(byronOf([new Uint8Array(28).fill(7), attributes, type])).ok).toBe(isValid);
});

test('a Cardano Byron address with an overlong length encoding is rejected', () => {
  const short = [...base58.decode(byron(new Uint8Array(28).fill(7)))];
  // 0x82 a list of two, 0xd818 tag 24, 0x58 bytes of a length below 256.
  const [length = 0, ...rest] = short.slice(4);
  expect(short.slice(0, 4)).toEqual([0x82, 0xd8, 0x18, 0x58]);
  const long = bytes([0x82, 0xd8, 0x18, 0x59, 0, length], rest);
  const longer = bytes([0x82, 0xd8, 0x18, 0x5a, 0, 0, 0, length], rest);
  for (const each of [long, longer]) expect(parseCardano(base58.encode(each)).ok).toBe(false);
});

test('a Cardano Byron address is rejected unless its payload is in CBOR tag 24', () => {
  const [list = 0, head = 0, tag = 0, ...rest] = base58.decode(byron(new Uint8Array(28).fill(7)));
  expect(parseCardano(base58.encode(bytes([list, head, tag], rest))).ok).toBe(true);
  expect(parseCardano(base58.encode(bytes([list, head, tag + 1], rest))).ok).toBe(false);
  expect(parseCardano(base58.encode(bytes([list], rest))).ok).toBe(false);
});

test.each([
  ['stake1uy9ggsc9qls4pu9qvyyacwnmr9tt0gzcdt5s0zj4au8qkqc65geks', 'stake address'],
  ['addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrdw5vky', ''],
])('Cardano address %s is not payable', (address, words) => {
  const result = parseCardano(address);
  expect(!result.ok && result.reason).toContain(words);
});

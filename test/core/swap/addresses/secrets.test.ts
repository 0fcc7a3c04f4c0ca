import { base58 } from '@scure/base';
import bs58check from 'bs58check';
import { expect, test } from 'vitest';
import { keyInside } from '../../../../src/core/swap/addresses/secrets.ts';

/** Base58check of a version, 32 bytes and what follows them. */
const key = (version: number[], tail: number[] = []): string =>
  bs58check.encode(Buffer.from([...version, ...Buffer.alloc(32, 0x11), ...tail]));

/** BIP 32: 78 bytes, a key's first byte being the 46th. */
const extended = (version: number[], first: number): string =>
  bs58check.encode(Buffer.from([...version, ...Buffer.alloc(41, 7), first, ...Buffer.alloc(32, 7)]));

// The example of XLS-12.
const NUMBERS = '554872 394230 209376 323698 140250 387423 652803 258676';

test.each([
  ['a key of Dogecoin, uncompressed', key([0x9e]), 'a private key'],
  ['a key of Dogecoin', key([0x9e], [1]), 'a private key'],
  ['a Sprout key of Zcash', key([0xab, 0x36]), 'a private key'],
  ['a Sprout key of its test network', key([0xac, 0x08]), 'a private key'],
  ['a key of Solana', base58.encode(Buffer.alloc(64, 0xff)), 'a private key'],
  ['a shorter key of Solana', base58.encode(Buffer.alloc(64, 1)), 'a private key'],
  ['a mini key of physical coins', 'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy', 'a private key'],
  ['an extended key of Dash', extended([0x02, 0xfe, 0x52, 0xcc], 0), 'an extended private key'],
  ['an extended key of 112 characters', extended([0xff, 0xff, 0xff, 0xff], 0), 'an extended private key'],
  ['an Antelope key', 'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V', 'an Antelope private key'],
  ['an extended public key', extended([0x04, 0x88, 0xb2, 0x1e], 2), 'an extended public key'],
  ['the secret numbers of an XRP account', NUMBERS, 'an XRP Ledger seed'],
  ['secret numbers, joined', NUMBERS.replaceAll(' ', ''), 'an XRP Ledger seed'],
])('keyInside detects %s', (_, text, kind) => {
  expect(keyInside(text)).toBe(kind);
  expect(keyInside(`key: "${text}"`)).toBe(kind);
  expect(keyInside(`key:${text}`)).toBe(kind);
});

test.each([
  ['32 bytes whose version is that of an address', key([0x50])],
  ['33 bytes that do not end as a compressed key', key([0x9e], [2])],
  ['33 bytes whose version is that of an address', key([0x50], [1])],
  ['33 bytes with almost the prefix of a Sprout key', key([0xab, 0x08])],
  ['a mini key with a wrong check character', 'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz'],
  ['65 bytes', base58.encode(Buffer.alloc(65, 1).fill(0, 0, 1))],
  ['numbers with another check digit', NUMBERS.replace('554872', '554873')],
  ['numbers in another order', NUMBERS.split(' ').toReversed().join(' ')],
])('keyInside ignores %s', (_, text) => expect(keyInside(text)).toBeUndefined());

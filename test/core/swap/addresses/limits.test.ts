import { blake256 } from '@noble/hashes/blake1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad, base58 } from '@scure/base';
import { bech32, bech32m } from 'bech32';
import bs58check from 'bs58check';
import { expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import { encodeBase58Check } from '../../../../src/core/swap/addresses/codecs/base58.ts';
import { bytesToWords, encodeBech32 } from '../../../../src/core/swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../../src/core/swap/addresses/codecs/cashaddr.ts';
import { encodeStrkey } from '../../../../src/core/swap/addresses/families/base32-accounts.ts';
import { encodeErgo, encodeWaves } from '../../../../src/core/swap/addresses/families/base58-accounts.ts';
import { bytes } from './encoders.ts';

const of = (length: number, byte = 7): Uint8Array => new Uint8Array(length).fill(byte);
const HASH = of(20);

const decred = (...version: number[]): string =>
  encodeBase58Check(bytes(version, HASH), (body) => blake256(blake256(body)));
const filecoin = (head: number[], payload: Uint8Array): string => {
  const checksum = blake2b(bytes(head, payload), { dkLen: 4 });
  const front = head.length === 1 ? `f${head[0]}` : 'f410f';
  return front + base32nopad.encode(bytes(payload, checksum)).toLowerCase();
};
const segwit = (version: number, length: number): string =>
  bech32m.encode('bc', [version, ...bech32m.toWords(of(length))], 100);
const cardano = (header: number, length: number): string =>
  bech32.encode('addr', bech32.toWords(bytes([header], of(length))), 200);
const sapling = (prefix: string): string => bech32.encode(prefix, bech32.toWords(of(43)), 200);
const spark = (prefix: string): string => bech32m.encode(prefix, bech32m.toWords(of(84)), 200);

test.each([
  ['BTC', segwit(16, 40), 'future-witness', false],
  ['BTC', segwit(2, 2), 'future-witness', false],
  ['DCR', decred(0x07, 0x3f), 'p2pkh', false],
  ['DCR', decred(0x0e, 0x91), 'p2pkh', true],
  ['DCR', decred(0x0e, 0xfc), 'p2sh', true],
  ['DCR', decred(0x0e, 0x6c), 'p2sh', true],
  ['PIVX', sapling('ptestsapling'), 'sapling', true],
  ['FIRO', spark('st'), 'spark', true],
  ['FIL', filecoin([4, 10], HASH), 'delegated', false],
  ['ERG', encodeErgo(0x02, of(24)), 'p2sh', false],
  ['ERG', encodeErgo(0x03, of(24)), 'p2s', false],
  ['FIL', 'f09223372036854775807', 'id', false],
  ['NEAR', 'testnet', 'top-level', true],
  ['NEAR', 'alice.testnet', 'named', true],
  ['STRK', '0x0b2a3299cc857e29', 'account', false],
  ['TON', `0:${'33'.repeat(32)}`, 'raw', false],
  ['ADA', cardano(0x21, 56), 'shelley-base', false],
])('a valid address at the limits of its format on %s, %s is %s', async (network, address, kind, testnet) => {
  const verdict = await checkAddress(network, address);
  expect(verdict).toMatchObject({ ok: true, kind, testnet });
  expect(verdict).not.toHaveProperty('unspendable');
});

test.each([
  ['BTC', segwit(16, 41), 'wrong checksum'],
  ['BCH', encodeBase58Check(of(20, 0)), 'wrong checksum'],
  ['SUI', `0X${'7'.repeat(64)}`, 'a private key'],
  ['BTC', segwit(17, 32), 'wrong checksum'],
  ['BTC', segwit(1, 1), 'wrong checksum'],
  ['FIL', filecoin([1], of(20, 0)), 'burn or system address'],
  ['FIL', filecoin([4, 10], of(20, 0)), 'burn or system address'],
  ['FIL', filecoin([4, 10], of(21)), 'wrong checksum or length'],
  ['FIL', filecoin([1], of(48)), 'wrong checksum or length'],
  ['FIL', 'f09223372036854775808', 'An id address'],
  ['NEAR', filecoin([1], HASH), 'of another network: Filecoin'],
  ['NEAR', `nsec1${'q'.repeat(58)}`, 'a private key'],
  ['TON', `-1:${'33'.repeat(32)}`, 'burn or system address'],
  ['ADA', cardano(0x01, 28), 'wrong checksum or length'],
  ['ADA', cardano(0x61, 56), 'wrong checksum or length'],
  ['ADA', cardano(0x81, 28), 'wrong checksum or length'],
  ['ADA', cardano(0x60, 28), 'wrong checksum or length'],
  ['ERG', encodeErgo(0x05, of(24)), 'not a payable'],
  ['ERG', encodeErgo(0x02, of(33, 2)), 'not a payable'],
  ['ERG', encodeErgo(0x01, of(33, 4)), 'not a payable'],
  ['ERG', encodeErgo(0x01, of(34, 2)), 'not a payable'],
  ['XTZ', encodeBase58Check(bytes([0x06, 0xa1, 0x9f], of(21))), 'not a payable'],
  ['CKB', bech32m.encode('ckb', bech32m.toWords(of(34, 0)), 200), 'burn or system address'],
  ['ALPH', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH:0', 'wrong length'],
  ['CFX', 'cfx:type.user:type.user:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'does not match the type'],
  ['EOS', 'abc.', 'neither begins nor ends'],
  ['EOS', '.abc', 'neither begins nor ends'],
  ['XLM', encodeStrkey(6 << 3, of(40)), 'another kind'],
  ['XLM', encodeStrkey(12 << 3, of(32)), 'another kind'],
  ['XLM', encodeStrkey(12 << 3, bytes(of(32, 0), of(8))), 'burn or system address'],
  ['XLM', encodeStrkey(2 << 3, of(32)), 'a contract'],
  // The hash of one key, and then of half another.
  ['ALPH', base58.encode(bytes([1, 2], of(48), [1])), 'wrong length'],
])('an address that cannot be paid on %s, %s is rejected: %s', async (network, address, reason) => {
  expect(await checkAddress(network, address)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(reason),
  });
});

// How much is asked, for what is asked of some must not be asked of all.
test.each([
  ['ATOM', 'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02', 0],
  ['LUNA', bech32.encode('terra', bech32.toWords(HASH)), 1],
  ['AVAXX', `X-${bech32.encode('avax', bech32.toWords(HASH))}`, 0],
  ['AVAXX', bech32.encode('avax', bech32.toWords(HASH)), 1],
  ['ICX', `hx${'5a'.repeat(20)}`, 1],
  ['ICX', `cx${'5a'.repeat(20)}`, 2],
  ['SOL', 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q', 1],
  ['SOL', '6X4X1Ae24mkoWeCEpktevySVG9jzeCufut5vtUW3wFrD', 2],
  ['HBAR', '0.0.1234567890-zbhlt', 0],
  ['HBAR', '12.345.6789-aoyyt', 1],
  ['STRK', `0x1${'0'.repeat(50)}`, 1],
  ['NEAR', 'alice.near', 1],
  ['NEAR', 'bowen', 2],
])('on %s, %s has %i warnings', async (network, address, count) => {
  expect(await checkAddress(network, address)).toHaveProperty('warnings.length', count);
});

test('the Nano account without a key is unspendable', async () => {
  const none = `nano_${'1'.repeat(52)}hifc8npp`;
  expect(await checkAddress('XNO', none)).toMatchObject({ ok: true, unspendable: true });
});

// The ledger's own list of special addresses has them as correct.
test.each(['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd'])(
  'XRP Ledger black hole address %s is unspendable',
  async (address) => {
    expect(await checkAddress('XRP', address)).toMatchObject({ ok: true, unspendable: true });
  },
);

const zeros = (count: number) => new Uint8Array(count);
const tron = (...hash: readonly Iterable<number>[]) => bs58check.encode(bytes([0x41], ...hash));

/** An address of Algorand, of as many bytes as the key has. */
const algorand = (key: Uint8Array) => base32nopad.encode(bytes(key, sha512_256(key).subarray(28)));

/** The old form of an address of Nervos. */
const nervos = (format: number, lock: number, fill = 7) =>
  encodeBech32({
    encoding: 'bech32',
    prefix: 'ckb',
    words: bytesToWords(bytes([format, lock], zeros(20).fill(fill))),
  });

const avalanche = (encoding: 'bech32' | 'bech32m') =>
  encodeBech32({ encoding, prefix: 'avax', words: bytesToWords(zeros(20).fill(7)) });

/** An address of Alephium whose kind has a checksum of its own. */
function alephium(kind: number, content: Uint8Array): string {
  const sum = content.reduce((hash, byte) => (Math.imul(hash, 33) + byte) | 0, 5381);
  const end = new Uint8Array(4);
  new DataView(end.buffer).setInt32(0, sum);
  return base58.encode(bytes([kind], content, end));
}

test.each([
  ['TRX', tron([1], zeros(19)), 'account'],
  ['TRX', tron([0xa0], zeros(19)), 'account'],
  ['TRX', tron(zeros(17), [1], zeros(2)), 'account'],
  ['WAVES', encodeWaves('W', bytes([1], zeros(19))), 'account'],
  ['CKB', nervos(1, 2), 'short'],
  ['ALGO', algorand(zeros(32).fill(7)), 'account'],
  ['ALPH', base58.encode(bytes([1, 1], zeros(32).fill(7), [1])), 'p2mpkh'],
  ['ALPH', alephium(5, zeros(32).fill(7)), 'p2hmpk'],
  ['KAS', `kaspa:${encodeCashaddr('kaspa', bytes([0], zeros(32).fill(7)))}`, 'schnorr'],
])('%s %s is a valid address', async (code, address, kind) => {
  expect(await checkAddress(code, address)).toMatchObject({ ok: true, kind });
});

test.each([
  ['TRX', tron(zeros(18), [1, 1]), 'burn or system address'],
  ['WAVES', encodeWaves('W', zeros(20)), 'burn or system address'],
  ['CKB', nervos(1, 3), ''],
  ['CKB', nervos(3, 0), ''],
  ['AVAXX', avalanche('bech32m'), 'wrong checksum, length or network'],
  ['ALGO', algorand(zeros(31).fill(7)), '58 capitals and digits'],
  ['ALGO', algorand(zeros(33).fill(7)), '58 capitals and digits'],
  ['KAS', `kaspa:${encodeCashaddr('kaspa', bytes([0], zeros(33).fill(7)))}`, 'length'],
  ['CKB', nervos(1, 0, 0), 'burn or system address'],
  ['ALPH', base58.encode(bytes([1, 1], zeros(32).fill(7), [0])), ''],
  ['ALPH', base58.encode(bytes([1, 1], zeros(32).fill(7), [2])), ''],
  ['STX', 'SP2J6ZY48GV1EZ5V2V5RB9', 'the wrong length or alphabet'],
  ['STX', 'SU2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'the wrong length or alphabet'],
])('%s %s is rejected although its checksum is right', async (code, address, reason) => {
  expect(await checkAddress(code, address)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(reason),
  });
});

test.each(['', 'X-'])('an Avalanche address keeps its chain prefix: %j', async (chain) => {
  const address = `${chain}${avalanche('bech32')}`;
  expect(await checkAddress('AVAXX', address)).toMatchObject({ ok: true, canonical: address });
});

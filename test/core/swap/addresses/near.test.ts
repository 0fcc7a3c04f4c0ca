import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad, base58 } from '@scure/base';
import bs58check from 'bs58check';
import { expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import { bytesToWords, encodeBech32 } from '../../../../src/core/swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../../src/core/swap/addresses/codecs/cashaddr.ts';
import { encodeWaves } from '../../../../src/core/swap/addresses/families/base58-accounts.ts';
import { bytes } from './encoders.ts';

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

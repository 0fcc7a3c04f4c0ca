import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import bs58check from 'bs58check';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import {
  encodeStacks,
  parseNimiq,
  parseStacks,
} from '../../../../src/core/swap/addresses/families/base32-accounts.ts';
import { parseErgo } from '../../../../src/core/swap/addresses/families/base58-accounts.ts';
import { parseMina } from '../../../../src/core/swap/addresses/families/base58check-accounts.ts';
import { parseFlow } from '../../../../src/core/swap/addresses/families/hex-accounts.ts';
import { PARSERS } from '../../../../src/core/swap/addresses/families/parsers.ts';
import type { ParsedAddress, ParseFailure } from '../../../../src/core/swap/addresses/parsed-address.ts';
import { findNetwork } from '../../../../src/core/swap/networks/networks.ts';
import { words } from '../../../helpers/words.ts';
import { bytes, flowAccount } from './encoders.ts';
import { CHECKSUMMED, raw } from './samples.ts';

// Accounts that hold well-known contracts: by chance one in half a million would be a word of the code.
test.each(
  words(`0x1d7e57aa55817448 0xc1e4f4f4c4257510 0x4eb8a10cb9f87357 0xb19436aae4d94622 0x3c5959b568896393
    0xead892083b3e2c6c 0x93615d25d14fa337 0x233eb012d34b0070 0xd796ff17107bbff6 0xd0bcefdf1e67ea85 0x1b77ba4b414de352`),
)('Flow account %s belongs to the main network', (address) => {
  expect(parseFlow(address)).toMatchObject({ ok: true, testnet: false });
});

test('a Flow account of each test network is recognized as such', () => {
  for (const shift of [0x6834ba37b3980209n, 0x1cb159857af02018n, 0x1035ce4eff92ae01n, 0x5211829e88528817n])
    expect(parseFlow(flowAccount(12_345_678n, shift))).toMatchObject({ ok: true, testnet: true });
});

test('a Stacks address with leading zero bytes is encoded and decoded correctly', () => {
  expect(encodeStacks(22, new Uint8Array(20))).toBe('SP000000000000000000002Q6VF78');
  for (const front of [0, 1]) {
    const hash = bytes([front, 0], new Uint8Array(18).fill(7));
    expect(parseStacks(encodeStacks(22, hash))).toMatchObject({ ok: true, kind: 'single-signature' });
  }
});

describe('a Nimiq address', () => {
  const address = 'NQ80FDUKGD7GMVYKVNLSM9U1M7KHGYA3EKML';

  const grouped = 'NQ80 FDUK GD7G MVYK VNLS M9U1 M7KH GYA3 EKML';

  test('may contain spaces only between groups of four', async () => {
    expect(await checkAddress('NIM', grouped)).toMatchObject({ ok: true, canonical: address, warnings: [] });
    for (const wrong of [` ${grouped}`, grouped.replace('FDUK', 'FD UK'), grouped.replace(' ', '  ')])
      expect((await checkAddress('NIM', wrong)).ok).toBe(false);
    expect((await checkAddress('BTC', grouped)).ok).toBe(false);
  });

  // A digit for a letter changes the length of the number that is divided by 97, so that one in 97 passes.
  test('is rejected with any one letter or digit replaced by another', () => {
    const like = (letter: string): string => (/\d/.test(letter) ? '0123456789' : 'ABCDEFGHJKLMNPQRSTUVXY');
    for (const [at, letter] of [...address].entries()) {
      for (const other of at < 2 ? '' : like(letter).replace(letter, ''))
        expect(parseNimiq(address.slice(0, at) + other + address.slice(at + 1)).ok).toBe(false);
    }
  });

  test('is valid with only one of the 100 possible check digits', () => {
    const account = '0000000000000000000000000000000M';
    const taken = Array.from({ length: 100 }, (_, i) => `NQ${String(i).padStart(2, '0')}${account}`);
    expect(taken.filter((text) => parseNimiq(text).ok)).toHaveLength(1);
  });
});

describe('a public key that is not on its curve', () => {
  const isKey = (result: ParsedAddress | ParseFailure): boolean =>
    result.ok && result.unspendable === undefined;

  const p = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
  const n = 0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n;
  const pallas = weierstrass({ p, n, h: 1n, a: 0n, b: 5n, Gx: p - 1n, Gy: 2n });

  const decodes = (point: typeof pallas, x: Uint8Array): boolean => {
    try {
      return point.fromBytes(bytes([2], x)) !== undefined;
    } catch {
      return false;
    }
  };

  test('is unspendable on Mina, as in an independent implementation of Pallas', () => {
    const property = fc.property(raw(32), (random) => {
      // About half of what is below the prime, and a few above it.
      const x = bytes([(random[0] ?? 0) & 0x4f], random.subarray(1));
      const payload = bytes([0xcb, 1, 1], x.toReversed(), [(random[31] ?? 0) & 1]);
      const result = parseMina(bs58check.encode(payload));
      expect([result.ok, isKey(result)]).toEqual([true, decodes(pallas, x)]);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('is unspendable on Ergo, as in an independent implementation of secp256k1', () => {
    const property = fc.property(raw(32), (x) => {
      const body = bytes([1, 2], x);
      const address = base58.encode(bytes(body, blake2b(body, { dkLen: 32 }).subarray(0, 4)));
      const result = parseErgo(address);
      expect([result.ok, isKey(result)]).toEqual([true, decodes(secp256k1.Point, x)]);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

const OWN = CHECKSUMMED.filter(({ network }) =>
  words('STX NEO ONT WAVES XCH CKB ERG MINA CFX SC XEM XYM ALPH FLOW FIO').includes(network),
);

test.each(OWN)('a damaged address of $network $form is rejected', async ({ network, sample }) => {
  // The group behind a groupless address is outside its checksum, and every group is its owner's.
  const [address = ''] = fc.sample(sample, 1).map((text) => text.replace(/:[0-3]$/, ''));
  const read = PARSERS[findNetwork(network)?.family ?? 'bitcoin'];
  const original = read(address, network);
  const swapped = [...address].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const damaged = [
    ...[...address].flatMap((letter, at) =>
      [...'0157AZaz9q'].map(
        (other) => address.slice(0, at) + (other === letter ? 'm' : other) + address.slice(at + 1),
      ),
    ),
    ...[...address].map((_, at) => address.slice(0, at)),
    ...[...address].map((_, at) => address.slice(at + 1)),
    ...[...'0157AZazq1'].flatMap((letter) => [address + letter, letter + address]),
    ...swapped.map((letter, at) => address.slice(0, at) + letter + address.slice(at + 1)),
    swapped.join(''),
  ];
  for (const text of damaged.filter((other) => other !== address)) {
    const result = read(text, network);
    const sameAccount = result.ok && original.ok && result.canonical === original.canonical;
    expect(result.ok && result.checksummed && !sameAccount, text).toBe(false);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/swap/addresses/check.ts';
import { loadFamily } from '../../../src/swap/addresses/families.ts';
import { findNetwork, NETWORKS } from '../../../src/swap/networks.ts';
import { CHECKSUMMED, UNCHECKED } from './samples.ts';

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0lIO-_+/:.';

describe('random addresses, written by other encoders where there are any', () => {
  test.each(Object.entries({ ...CHECKSUMMED, ...UNCHECKED }))(
    '300 of %s are accepted',
    async (code, sample) => {
      const property = fc.asyncProperty(sample, async (address) => {
        expect(await checkAddress(code, address)).toMatchObject({ ok: true, testnet: false, verified: true });
      });
      await fc.assert(property, { numRuns: 300 });
    },
  );

  test.each(Object.entries(CHECKSUMMED))('1,000 damaged ones of %s are refused', async (code, sample) => {
    const read = await loadFamily(findNetwork(code)?.family ?? 'bitcoin');
    const property = fc.property(sample, fc.nat(), fc.nat(), fc.boolean(), (address, at, letter, swap) => {
      const damaged = swap ? swapNeighbours(address, at) : replaceOne(address, at, letter);
      // Hexadecimal digits mean the same in either case.
      fc.pre(code === 'ICP' ? damaged.toLowerCase() !== address : damaged !== address);
      const result = read(damaged, code);
      // One character turns f1… into t1…, the same account of the test network.
      expect(result.ok && !result.testnet && result.checksummed, damaged).toBe(false);
    });
    // The seed is fixed, for SS58 has a checksum of two bytes only: one damaged address in 65,536 is valid.
    fc.assert(property, { numRuns: 1000, seed: 20261120 });
  });
});

function swapNeighbours(text: string, at: number): string {
  const i = at % (text.length - 1);
  return text.slice(0, i) + text.charAt(i + 1) + text.charAt(i) + text.slice(i + 2);
}

function replaceOne(text: string, at: number, letter: number): string {
  const i = at % text.length;
  return text.slice(0, i) + LETTERS.charAt(letter % LETTERS.length) + text.slice(i + 1);
}

// Chains that share a form: the text alone cannot tell them apart.
const SHARED = [
  ['BTC', 'BCH', 'XEC', 'BSV', 'OMNI', 'LTC', 'DGB'],
  ['DOGE', 'DGB'],
  ['LTC', 'QTUM'],
  ['ETH', 'NEAR'],
  ['SUI', 'APT', 'MOVE', 'IOTA', 'STX', 'HIVE', 'STEEM'],
  ['EOS', 'WAX', 'TLOS', 'NEAR'],
  ['ICP', 'NEAR'],
];
const related = (a: string, b: string): boolean =>
  SHARED.some((group) => group.includes(a) && group.includes(b)) ||
  (findNetwork(a)?.family === 'evm' && findNetwork(b)?.family === 'evm');

test.each(Object.entries({ ...CHECKSUMMED, ...UNCHECKED }))(
  'an address of %s is refused on every network of another form',
  async (code, sample) => {
    const addresses = fc.sample(sample, 4);
    for (const { code: other, family } of NETWORKS) {
      if (other === code || related(code, other) || (family === null && code in UNCHECKED)) continue;
      for (const address of addresses) {
        expect(await checkAddress(other, address), `${other} ${address}`).toMatchObject({ ok: false });
      }
    }
  },
);

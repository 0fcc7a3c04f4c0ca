import { expect, it } from 'vitest';
import { checkedAddress, checkedDestination } from '../../../src/core/swaps/destination.ts';

const MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const PAYOUT = { what: 'payout', memo: null, memoNeeded: false, waived: false } as const;
const TEST = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';

it.each([
  ['sandbox', MAIN, true],
  ['sandbox', TEST, true],
  ['live', MAIN, true],
  ['live', TEST, false],
] as const)('a %s swap to address %s is accepted: %s', async (environment, address, accepted) => {
  const checked = checkedDestination({ network: 'BTC', address, environment, ...PAYOUT });
  if (accepted) expect(await checked).toEqual({ address, memo: null, warnings: [] });
  else await expect(checked).rejects.toThrow('Invalid payout address: it is a test network address.');
});

it('a warning or error about a refund address names it as such', async () => {
  const to = { network: 'SUI', address: `0x${'1f'.repeat(32)}`, environment: 'live' } as const;
  const payout = await checkedDestination({ ...to, ...PAYOUT });
  const refund = await checkedAddress({ ...to, what: 'refund' });
  expect(payout.warnings).toHaveLength(1);
  expect(refund.warnings).toEqual(payout.warnings.map((text) => `refund address: ${text}`));
  const refused = checkedAddress({ ...to, what: 'refund', address: 'nonsense' });
  const words = 'Invalid refund address. An address is 0x and exactly 64 hexadecimal digits.';
  await expect(refused).rejects.toThrow(words);
  const nowhere = { network: 'XRP', address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' };
  const burned = checkedAddress({ ...to, ...nowhere, what: 'refund' });
  await expect(burned).rejects.toThrow('no one can ever spend what is sent to it');
});

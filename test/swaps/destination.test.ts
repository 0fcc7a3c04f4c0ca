import { expect, it } from 'vitest';
import { checkedDestination } from '../../src/swaps/destination.ts';

const MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const TEST = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';

it.each([
  ['sandbox', MAIN, true],
  ['sandbox', TEST, true],
  ['live', MAIN, true],
  ['live', TEST, false],
] as const)('a %s swap to %s is accepted: %s', async (environment, address, accepted) => {
  const checked = checkedDestination({
    ...{ network: 'BTC', address, environment, what: 'payout' },
    ...{ memo: null, memoNeeded: false, waived: false },
  });
  if (accepted) expect(await checked).toEqual({ address, memo: null, warnings: [] });
  else await expect(checked).rejects.toThrow('it is a test network address');
});

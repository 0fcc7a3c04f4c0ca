import { expect, it } from 'vitest';
import type { QuoteRequest } from '../../src/client/client.ts';
import type { Quoting } from '../../src/swaps/limits.ts';
import { quotePair } from '../../src/swaps/price.ts';

const coins = () => Promise.reject(new Error('The coin list is not needed.'));

it.each([
  ['BTC', 'XRP', '0.12345678', 'deposit', null],
  ['BTC', 'XRP', '0.123456789', 'deposit', 'BTC has 8 decimals, so 0.123456789 cannot be paid exactly.'],
  ['XRP', 'BTC', '0.12345678', 'receive', null],
  ['BTC', 'XRP', '0.1234567', 'receive', 'XRP has 6 decimals, so 0.1234567 cannot be paid exactly.'],
] as const)('a quote of %s to %s for %s to %s has decimals that can be paid', async (...row) => {
  const [from, to, amount, lastSource, problem] = row;
  const asked: QuoteRequest[] = [];
  const quote: Quoting['client']['quote'] = async (wanted) => {
    asked.push(wanted);
    return { ...wanted, pair: '', receive: '1', rate: '1', min: '0', max: null, fee: null };
  };
  const request: QuoteRequest = {
    ...{ from: { coin: from, network: null }, to: { coin: to, network: null } },
    ...{ amount, lastSource, type: 'float' },
  };
  const answer = quotePair({ pairCoins: coins, coinList: coins }, { client: { quote } }, request);
  if (problem === null) expect(await answer).toMatchObject({ amount });
  else await expect(answer).rejects.toMatchObject({ code: 'invalid_amount', message: problem });
  expect(asked).toHaveLength(problem === null ? 1 : 0);
});

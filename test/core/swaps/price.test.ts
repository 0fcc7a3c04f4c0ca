import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { QuoteRequest } from '../../../src/core/client/client.ts';
import type { Quoting } from '../../../src/core/swaps/limits.ts';
import {
  changeWords,
  hasWorsened,
  priceImpact,
  priceSwap,
  quotePair,
} from '../../../src/core/swaps/price.ts';

const coins = () => Promise.reject(new Error('The coin list is not needed.'));

it.each([
  ['BTC', 'XRP', '0.12345678', 'deposit', null],
  ['BTC', 'XRP', '0.123456789', 'deposit', 'BTC has 8 decimals, so 0.123456789 cannot be paid exactly.'],
  ['XRP', 'BTC', '0.12345678', 'receive', null],
  ['BTC', 'XRP', '0.1234567', 'receive', 'XRP has 6 decimals, so 0.1234567 cannot be paid exactly.'],
] as const)('a quote of %s to %s for %s on the %s side has too many decimals: %j', async (...row) => {
  const [from, to, amount, lastSource, problem] = row;
  const asked: QuoteRequest[] = [];
  const quote: Quoting['client']['quote'] = async (wanted) => {
    asked.push(wanted);
    return { ...wanted, pair: '', receive: '1', rate: '1', min: '0', max: null, fee: null };
  };
  const pair = { from: { coin: from, network: null }, to: { coin: to, network: null } };
  const request: QuoteRequest = { ...pair, amount, lastSource, type: 'float' };
  const answer = quotePair({ pairCoins: coins, coinList: coins }, { client: { quote } }, request);
  if (problem === null) expect(await answer).toMatchObject({ amount });
  else await expect(answer).rejects.toMatchObject({ code: 'invalid_amount', message: problem });
  expect(asked).toHaveLength(problem === null ? 1 : 0);
});

const ASKED = {
  from: { coin: 'BTC', network: 'BTC' },
  to: { coin: 'ETH', network: 'ETH' },
  type: 'float',
} as const;

/** A service whose pairs take a deposit of 0.1 to 2.5, and pay ten times of it. */
const bounded: Quoting = {
  client: {
    quote: async (wanted) => {
      const deposit = Number(wanted.amount) / (wanted.lastSource === 'receive' ? 10 : 1);
      if (deposit < 0.1) throw new SwapctlError('amount_below_min', 'Too small.');
      if (deposit > 2.5) throw new SwapctlError('amount_above_max', 'Too large.');
      return { ...wanted, pair: '', receive: '1', rate: '10', min: '0.1', max: '2.5', fee: null };
    },
  },
};

it.each([
  ['0.05', 'deposit', '0.05 BTC is below the minimum'],
  ['3', 'deposit', '3 BTC is above the maximum'],
  ['0.5', 'receive', 'The deposit for 0.5 ETH is below the minimum'],
  ['26', 'receive', 'The deposit for 26 ETH is above the maximum'],
] as const)('a rejected price for %s, %s, names the limits', async (amount, lastSource, problem) => {
  const message = `${problem}. The limits of BTC → ETH are 0.1 to 2.5 BTC.`;
  const { from: deposit, to: receive, type } = ASKED;
  const request = { ...ASKED, amount, lastSource };
  const source = { pairCoins: coins, coinList: coins };
  await expect(quotePair(source, bounded, request)).rejects.toThrow(message);
  const question = { deposit, receive, asked: amount, lastSource, type, minReceive: null };
  await expect(priceSwap({ ...question, service: bounded })).rejects.toThrow(message);
});

it('a price change is described for each side that changed, and is worse beyond the tolerance', () => {
  const priced = (amount: string, receive: string) => ({
    tolerance: '1',
    quote: { receive },
    request: { deposit: ASKED.from, receive: ASKED.to, amount },
  });
  const before = priced('1', '10');
  expect(changeWords(before, priced('1.0', '10.00'))).toBeNull();
  expect(changeWords(before, priced('1.0', '9'))).toBe('reviewed 10 ETH, now 9 ETH (−10.0 %)');
  expect(changeWords(before, priced('2', '11'))).toBe(
    'reviewed 1 BTC to send, now 2 BTC (+100.0 %); reviewed 10 ETH, now 11 ETH (+10.0 %)',
  );
  const worse = [priced('1', '9.9'), priced('1', '9.89'), priced('1.01', '10'), priced('1.011', '10')];
  expect(worse.map((now) => hasWorsened(before, now))).toEqual([false, true, false, true]);
});

it.each([
  ['0.1', '12.5', '-20.0'],
  ['0.1', null, null],
  ['0', '12.5', null],
])('with a minimum of %s at rate %s, the rate 10 has the impact %s', async (min, least, impact) => {
  const quote: Quoting['client']['quote'] = async (wanted) => {
    if (least === null) throw new SwapctlError('network_error', 'No answer.');
    expect(wanted.amount).toBe(min);
    return { ...wanted, pair: '', receive: '1', rate: least, min, max: null, fee: null };
  };
  const of = { ...ASKED, amount: '1', lastSource: 'deposit' as const };
  const priced = { ...of, pair: '', receive: '10', rate: '10', min, max: null, fee: null };
  expect(await priceImpact({ client: { quote } }, priced)).toBe(impact);
});

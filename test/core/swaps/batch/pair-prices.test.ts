import { expect, it } from 'vitest';
import { productOf } from '../../../../src/core/swap/amount.ts';
import type { Quote } from '../../../../src/core/swap/swap.ts';
import { PairPrices } from '../../../../src/core/swaps/batch/pair-prices.ts';

const BTC_ETH = { deposit: { coin: 'BTC', network: 'BTC' }, receive: { coin: 'ETH', network: 'ETH' } };

function pricesOf(pair = BTC_ETH, bounds: Partial<Quote> = { min: '100', max: '1000' }) {
  const prices = new PairPrices(pair, '1');
  prices.noteBounds(bounds);
  return prices;
}

it('amounts up to twice the minimum of a pair are interpolated after three quotes', async () => {
  const prices = pricesOf();
  const asked: string[] = [];
  const receive = (amount: string) =>
    prices.receiveFor(amount, async (wanted) => {
      asked.push(wanted);
      return productOf([wanted, '25']);
    });
  expect([await receive('120'), await receive('130'), asked]).toEqual([null, null, []]);
  expect([await receive('140'), asked]).toEqual(['3500', ['100', '140', '200']]);
  expect([await receive('100'), await receive('200')]).toEqual(['2500', '5000']);
  expect([await receive('99.9'), await receive('200.1')]).toEqual([null, null]);
  expect(asked).toHaveLength(3);
});

it.each([
  ['are not on a line', '140', '3600'],
  ['have no price at the end', '200', null],
])('amounts of a pair whose quotes %s are quoted one by one', async (_, odd, price) => {
  const prices = pricesOf();
  const ask = async (wanted: string) => (wanted === odd ? price : productOf([wanted, '25']));
  for (const amount of ['120', '130']) await prices.receiveFor(amount, ask);
  expect(await prices.receiveFor('140', ask)).toBe(price ?? '3500');
  expect(await prices.receiveFor('150', ask)).toBeNull();
});

it('the limits of a coin with unknown decimals are used unchanged', async () => {
  const unknown = { coin: 'NOSUCH', network: 'NOSUCH' };
  const prices = pricesOf({ deposit: unknown, receive: unknown }, { min: '0.123' });
  const asked: string[] = [];
  for (const amount of ['0.13', '0.14', '0.15'])
    await prices.receiveFor(amount, async (wanted) => {
      asked.push(wanted);
      return wanted;
    });
  expect(asked).toEqual(['0.123', '0.15', '0.246']);
});

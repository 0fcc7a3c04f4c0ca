import { expect, it } from 'vitest';
import { productOf } from '../../../../src/core/swap/amount.ts';
import { PairPrices } from '../../../../src/core/swaps/batch/pair-prices.ts';

it('amounts up to twice the minimum of a pair are interpolated after three quotes', async () => {
  const pair = { deposit: { coin: 'BTC', network: 'BTC' }, receive: { coin: 'ETH', network: 'ETH' } };
  const prices = new PairPrices(pair, '1');
  prices.noteBounds({ min: '100', max: '1000' });
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

it('the limits of a coin with unknown decimals are used unchanged', async () => {
  const unknown = { coin: 'NOSUCH', network: 'NOSUCH' };
  const prices = new PairPrices({ deposit: unknown, receive: unknown }, '1');
  prices.noteBounds({ min: '0.123' });
  const asked: string[] = [];
  for (const amount of ['0.13', '0.14', '0.15'])
    await prices.receiveFor(amount, async (wanted) => {
      asked.push(wanted);
      return wanted;
    });
  expect(asked).toEqual(['0.123', '0.15', '0.246']);
});

import { describe, expect, it } from 'vitest';
import { InterruptedError, SwapctlError, UsageError } from '../../../../src/base/errors.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import { productOf } from '../../../../src/core/swap/amount.ts';
import type { Quote } from '../../../../src/core/swap/swap.ts';
import * as batch from '../../../../src/core/swaps/batch/prices.ts';
import { Totals } from '../../../../src/core/swaps/batch/totals.ts';
import type { UnpricedSwap } from '../../../../src/core/swaps/check.ts';
import { CREATE, UNPRICED } from '../../swap/requests.ts';
import { contextAt, withClient } from '../follow/followers.ts';

const START = 1_790_000_000_000;

it.each([
  ['shared', 0, 0, 1],
  ['shared', 15_000, 15_000, 1],
  ['requested again', 15_001, 0, 2],
  ['requested again', 0, 15_001, 2],
  ['requested again', 15_001, 15_001, 2],
  ['requested again', -1, 0, 2],
])('the quote of an equal row is %s after %i (clock) and %i ms', async (_, wall, steady, quotes) => {
  const context = await contextAt(START);
  let [asked, isLater] = [0, false];
  const now = () => START + (isLater ? wall : 0);
  const monotonic = () => 1000 + (isLater ? steady : 0);
  const quote: Client['quote'] = async (wanted) => {
    asked += 1;
    return { ...wanted, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null };
  };
  const ports = await withClient({ ...context, now, monotonic }, { quote });
  const price = batch.freshPrices(ports, await ports.service());
  const question = { ...CREATE, asked: CREATE.amount };
  await price(question);
  isLater = true;
  await price({ ...question });
  expect(asked).toBe(quotes);
});

it('the price of a row is requested again if it failed for an equal row', async () => {
  let isDown = true;
  const quote: Client['quote'] = async (wanted) => {
    if (isDown) throw new SwapctlError('network_error', 'No answer.');
    return { ...wanted, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null };
  };
  const { service } = await withClient(await contextAt(START), { quote });
  const priceOf = batch.reviewPrices(await service());
  const row = { ...UNPRICED, request: { ...CREATE, type: 'fixed' as const } };
  await expect(priceOf(row)).rejects.toMatchObject({ code: 'network_error' });
  isDown = false;
  expect(await priceOf(row)).toMatchObject({ receive: '2.5' });
});

const AMOUNTS = Array.from({ length: 40 }, (_, index) => String(100 + index));

it.each<[string, Partial<UnpricedSwap['request']>, Partial<UnpricedSwap>, number]>([
  ['only a few rows of one pair', {}, {}, 6],
  ['each row at a fixed rate', { type: 'fixed' }, {}, 40],
  ['each row with an amount to receive', { lastSource: 'receive' }, {}, 40],
  ['each row with a minimum payout', {}, { minReceive: '0.1' }, 40],
  ['each row at a tolerance of 0%', {}, { tolerance: '0' }, 40],
])('the review of a batch quotes %s', async (_, change, terms, quotes) => {
  let asked = 0;
  const quote: Client['quote'] = async (wanted) => {
    asked += 1;
    expect(wanted.amount, 'an amount that can be paid').toMatch(/^\d+(\.\d{1,8})?$/);
    const receive = productOf([wanted.amount, '25']);
    return { ...wanted, pair: 'BTC_ETH', receive, rate: '25', min: '0.0000000015', max: null, fee: null };
  };
  const { service } = await withClient(await contextAt(START), { quote });
  const priceOf = batch.reviewPrices(await service());
  for (const amount of [...AMOUNTS, ...AMOUNTS])
    await priceOf({ ...UNPRICED, ...terms, request: { ...CREATE, ...change, amount } });
  expect(asked).toBe(quotes);
});

it.each([
  ['a wrong amount', new UsageError('No.'), true],
  ['an amount that the service rejects', new SwapctlError('amount_below_min', 'No.'), true],
  ['an interruption', new InterruptedError('SIGINT'), false],
  ['a rejected key pair', new SwapctlError('invalid_signature', 'No.'), false],
  ['a bug', new TypeError('No.'), false],
])('%s (%s) fails only its own row: %s', (_, error, expected) =>
  expect(batch.isOfOneRow(error)).toBe(expected),
);

const BTC_ETH = { deposit: { coin: 'BTC', network: 'BTC' }, receive: { coin: 'ETH', network: 'ETH' } };

function pricesOf(pair = BTC_ETH, bounds: Partial<Quote> = { min: '100', max: '1000' }) {
  const prices = new batch.PairPrices(pair, '1');
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

describe('the totals of a batch', () => {
  it('show three of the largest rows and a hundred warnings, and count the other warnings', () => {
    const totals = new Totals();
    for (let row = 1; row <= 51; row += 1)
      totals.add({ row, isRepeat: row === 7 }, UNPRICED, { deposit: '0.1', receive: '2.5' }, ['a', 'b']);
    const { largest, warnings, moreWarnings, ...figures } = totals.figures();
    expect(figures).toMatchObject({ rows: 51, toCreate: 51, repeated: 1, existing: 0, unknown: 0 });
    expect(largest.map(({ row }) => row)).toEqual([1, 2, 3]);
    expect([warnings.length, warnings.at(-1), moreWarnings]).toEqual([100, { row: 50, warning: 'b' }, 2]);
    expect(figures.totals).toMatchObject([
      { ...CREATE.deposit, side: 'deposit', rows: 51, amount: '5.1', estimated: false },
      { ...CREATE.receive, side: 'receive', rows: 51, amount: '127.5', estimated: true },
    ]);
  });
  it('count existing orders with the newest time, and unknown outcomes separately', () => {
    const totals = new Totals();
    for (const requestedAt of [1000, 3000, 2000]) totals.addExisting({ outcome: 'created', requestedAt });
    totals.addExisting({ outcome: 'unknown', requestedAt: 9000 });
    const counts = { rows: 4, toCreate: 0, existing: 3, unknown: 1 };
    expect(totals.figures()).toMatchObject({ ...counts, lastExistingAt: '1970-01-01T00:00:03.000Z' });
  });
});

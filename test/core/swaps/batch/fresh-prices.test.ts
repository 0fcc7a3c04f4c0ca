import { expect, it } from 'vitest';
import { InterruptedError, SwapctlError, UsageError } from '../../../../src/base/errors.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import { productOf } from '../../../../src/core/swap/amount.ts';
import { freshPrices, isOfOneRow, reviewPrices } from '../../../../src/core/swaps/batch/prices.ts';
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
  const price = freshPrices(ports, await ports.service());
  const question = { ...CREATE, asked: CREATE.amount };
  await price(question);
  isLater = true;
  await price({ ...question });
  expect(asked).toBe(quotes);
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
  const priceOf = reviewPrices(await service());
  for (const amount of [...AMOUNTS, ...AMOUNTS])
    await priceOf({ ...UNPRICED, ...terms, request: { ...CREATE, ...change, amount } });
  expect(asked).toBe(quotes);
});

it.each([
  ['a wrong amount', new UsageError('No.'), true],
  ['an amount that the service rejects', new SwapctlError('amount_below_min', 'No.'), true],
  ['a rejected key pair', new SwapctlError('invalid_signature', 'No.'), false],
  ['a lost connection', new SwapctlError('network_error', 'No.'), false],
  ['an interruption', new InterruptedError('SIGINT'), false],
  ['a bug', new TypeError('No.'), false],
])('%s (%s) fails only its own row: %s', (_, error, expected) => expect(isOfOneRow(error)).toBe(expected));

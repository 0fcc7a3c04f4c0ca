import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareProducts, fromSmallestUnit } from '../../../src/core/swap/amount.ts';
import {
  quoteProblem,
  type ReceivedQuote,
  type RequestedQuote,
} from '../../../src/core/swap/quote-problem.ts';

const ASKED: RequestedQuote = {
  from: { coin: 'BTC', network: null },
  to: { coin: 'usdt', network: 'TRX' },
  lastSource: 'deposit',
  amount: '0.10',
};
const SEEN: ReceivedQuote = {
  pair: 'BTC_USDT',
  amount: '0.1',
  receive: '6500',
  rate: '65000',
  min: '0',
  max: null,
};

const WANTED: RequestedQuote = { ...ASKED, lastSource: 'receive', amount: '6500' };

const PAIR = 'the quote is for a different pair than requested';
const AMOUNT = 'the quote is for a different amount than requested';
const NOTHING = 'the quote has an amount that is not greater than zero';
const CONTRADICTION = "the quote's rate does not match its amounts";

describe('a quote', () => {
  it.each<[string, Partial<ReceivedQuote>]>([
    ['for the requested pair and amount', {}],
    ['without a pair', { pair: '' }],
    ['with the pair in lower case', { pair: 'btc_usdt' }],
    ['with another separator in the pair', { pair: 'BTC/USDT' }],
    ['with the rounding error of a double', { amount: '0.10000000000000001' }],
    ['whose fees are half of the payout', { receive: '3250' }],
    ['that pays half more than its rate', { receive: '9750' }],
  ])('%s is accepted', (_name, change) => expect(quoteProblem(ASKED, { ...SEEN, ...change })).toBeNull());

  it.each([
    ['0.999999999999', '1'],
    ['1', '0.999999999999'],
  ])('requested for %s may state the amount %s', (amount, seen) => {
    const price = { amount: seen, receive: '65000', rate: '65000' };
    expect(quoteProblem({ ...ASKED, amount }, { ...SEEN, ...price })).toBeNull();
  });

  it.each<[string, Partial<ReceivedQuote>, string]>([
    ['another coin', { pair: 'BTC_ETH' }, PAIR],
    ['the pair reversed', { pair: 'USDT_BTC' }, PAIR],
    ['a slightly larger amount', { amount: '0.10000001' }, AMOUNT],
    ['a slightly smaller amount', { amount: '0.09999999' }, AMOUNT],
    ['a shifted decimal point', { amount: '1', receive: '65000' }, AMOUNT],
    ['a payout of zero', { receive: '0.000' }, NOTHING],
    ['a negative payout', { receive: '-6500' }, NOTHING],
    ['a negative amount', { amount: '-0.1' }, NOTHING],
    ['a rate of zero', { rate: '0' }, 'the quote has a rate that is not greater than zero'],
    ['a negative rate', { rate: '-65000' }, 'the quote has a rate that is not greater than zero'],
    ['a negative minimum', { min: '-1' }, 'the quote has a limit below zero'],
    ['a negative maximum', { max: '-1' }, 'the quote has a limit below zero'],
    ['a payout below half of its rate', { receive: '3249.99' }, CONTRADICTION],
    ['a payout more than half above its rate', { receive: '9750.01' }, CONTRADICTION],
    ['an inverted rate', { rate: '0.0000153' }, CONTRADICTION],
  ])('with %s is rejected: $2', (_name, change, words) => {
    expect(quoteProblem(ASKED, { ...SEEN, ...change })).toBe(words);
  });

  it.each<[string, string | null]>([
    ['6500', null],
    ['6435', null],
    ['6434.99', AMOUNT],
    ['9750', null],
    ['9750.01', AMOUNT],
  ])('requested to receive 6500 that pays %s has the problem %j', (receive, words) => {
    const amount = receive === '6500' ? '0.1' : '0.12';
    expect(quoteProblem(WANTED, { ...SEEN, amount, receive })).toBe(words);
  });

  it('is rejected exactly if its payout is more than 50 % off amount times rate', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 24n });
    fc.assert(
      fc.property(units, units, units, (a, r, p) => {
        const [amount, rate, receive] = [a, r, p].map((value) => fromSmallestUnit(value, 12));
        const seen = { ...SEEN, amount: amount ?? '', rate: rate ?? '', receive: receive ?? '' };
        const times = 2n * p * 10n ** 12n;
        const apart = times < a * r || times > 3n * a * r;
        expect(quoteProblem({ ...ASKED, amount: seen.amount }, seen)).toBe(apart ? CONTRADICTION : null);
      }),
    );
  });
});

it('products of decimals are compared exactly, with any number of decimals', () => {
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(decimal, decimal, decimal, ([a, x], [b, y], [c, z]) => {
      const [left, right] = [a * b * 10n ** BigInt(z), c * 10n ** BigInt(x + y)];
      const sign = left < right ? -1 : left > right ? 1 : 0;
      const text = [fromSmallestUnit(a, x), fromSmallestUnit(b, y)];
      expect(Math.sign(compareProducts(text, [fromSmallestUnit(c, z)]))).toBe(sign);
    }),
  );
});

import { expect, it } from 'vitest';
import { checkBounds } from '../../src/swaps/limits.ts';

const PAIR = { from: { coin: 'BTC', network: 'BTC' }, to: { coin: 'ETH', network: 'ETH' } };

it.each([
  ['0.0999999999', 'amount_below_min'],
  ['0.1', null],
  ['0.10', null],
  ['2.50', null],
  ['2.5', null],
  ['2.50000001', 'amount_above_max'],
])('a deposit of %s between 0.1 and 2.5 BTC is refused as %s', (amount, code) => {
  const check = () => checkBounds({ min: '0.1', max: '2.5' }, amount, PAIR);
  if (code === null) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code }));
});

it('a service without a maximum takes any amount', () => {
  expect(() => checkBounds({ min: '0.1', max: null }, '1000000', PAIR)).not.toThrow();
});

it.each([
  ['0.1', '2.5', '0.1 to 2.5 BTC'],
  ['0', '2.5', 'up to 2.5 BTC'],
  ['0.1', null, '0.1 BTC or more'],
])('a refusal names the limits %s and %s as %s', (min, max, words) => {
  const amount = max === null ? '0.01' : '3';
  const check = () => checkBounds({ min, max }, amount, PAIR);
  expect(check).toThrow(`The limits of BTC → ETH are ${words}.`);
});

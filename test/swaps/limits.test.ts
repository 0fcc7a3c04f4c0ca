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

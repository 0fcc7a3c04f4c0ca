import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSmallestUnit, interpolate } from '../../../src/core/swap/amount.ts';

describe('the line through two prices', () => {
  it.each([
    ['one of the two amounts', '1', '8.5'],
    ['an amount between them', '1.5', '13.75'],
    ['an amount above both', '4', '40'],
    ['an amount below both, where it is negative', '0.1', '-0.95'],
    ['an amount whose payout is rounded down', '1.0000001', '8.5'],
    ['an amount whose negative payout is rounded down', '0.0000001', '-2'],
  ])('returns $2 for %s', (_, amount, receive) => {
    const [low, high] = [
      { amount: '1', receive: '8.50' },
      { amount: '2', receive: '19' },
    ];
    expect(interpolate([low, high], amount, 2)).toBe(receive);
    expect(interpolate([high, low], amount, 2)).toBe(receive);
  });

  it('is exact to the last digit for any rate with a fixed fee', () => {
    const tens = fc.bigInt({ min: 1n, max: 10n ** 24n }).map((units) => units * 10n);
    fc.assert(
      fc.property(tens, tens, tens, fc.bigInt({ min: 1n, max: 1_000_000n }), (first, more, sent, rate) => {
        // A fee of 3 units of the last of 18 decimals, so that no price ends in a zero.
        const price = (units: bigint) => ({
          amount: fromSmallestUnit(units, 18),
          receive: fromSmallestUnit(units * rate - 3n, 18),
        });
        expect(interpolate([price(first), price(first + more)], price(sent).amount, 0)).toBe(
          price(sent).receive,
        );
      }),
    );
  });
});

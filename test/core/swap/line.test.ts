import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSmallestUnit, onLine } from '../../../src/core/swap/amount.ts';

describe('the line through two prices', () => {
  it.each([
    ['the point itself', '1', '8.5'],
    ['a point between', '1.5', '13.75'],
    ['a point beyond', '4', '40'],
    ['a point below, where nothing is left', '0.1', '-0.95'],
    ['digits that are rounded down', '1.0000001', '8.5'],
    ['digits that are rounded down below zero', '0.0000001', '-2'],
  ])('gives %s', (_, amount, receive) => {
    const [low, high] = [
      { amount: '1', receive: '8.50' },
      { amount: '2', receive: '19' },
    ];
    expect(onLine([low, high], amount, 2)).toBe(receive);
    expect(onLine([high, low], amount, 2)).toBe(receive);
  });

  it('is right to the last digit of any price with a fee', () => {
    const tens = fc.bigInt({ min: 1n, max: 10n ** 24n }).map((units) => units * 10n);
    fc.assert(
      fc.property(tens, tens, tens, fc.bigInt({ min: 1n, max: 1_000_000n }), (first, more, sent, rate) => {
        // A fee of 3 units of the last of 18 decimals, so that no price ends in a zero.
        const price = (units: bigint) => ({
          amount: fromSmallestUnit(units, 18),
          receive: fromSmallestUnit(units * rate - 3n, 18),
        });
        expect(onLine([price(first), price(first + more)], price(sent).amount, 0)).toBe(price(sent).receive);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fromSmallestUnit } from '../../../src/core/swap/amount.ts';
import { fellBeyond, percentChange, roseBeyond } from '../../../src/core/swap/price-change.ts';

it.each([
  ['2.5', '2.47', '−1.2 %'],
  ['2.86658', '1.433596', '−50.0 %'],
  ['2.5', '2.5', '0 %'],
  ['2.5', '2.500', '0 %'],
  ['2', '2.1', '+5.0 %'],
  ['100', '0.01', '−100.0 %'],
  ['1', '0.9995', '−0.1 %'],
  ['1', '0.9996', '−0.04 %'],
  ['1', '0.99996', '−0.004 %'],
  ['1', '0.9999996', '−0.00004 %'],
  ['0.000000000000000001', '1', '+99999999999999999900.0 %'],
])('a price change in percent from %s to %s is printed as %s', (before, now, text) => {
  expect(percentChange(before, now)).toBe(text);
});

describe('a price drop', () => {
  it.each([
    ['100', '99', '1', false],
    ['100', '98.999999999999999999', '1', true],
    ['100', '100', '0', false],
    ['100', '99.999999999999999999', '0', true],
    ['2.5', '0', '100', false],
    ['2.5', '5', '0', false],
    ['1', '0.9975', '0.25', false],
    ['1', '0.99749', '0.25', true],
  ])('from %s to %s exceeds %s percent: %s', (before, now, percent, fell) => {
    expect(fellBeyond(before, now, percent)).toBe(fell);
  });

  const amount = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }))
    .map(([units, places]) => fromSmallestUnit(units, places));
  const percent = fc
    .tuple(fc.bigInt({ min: 0n, max: 10_000n }), fc.integer({ min: 2, max: 2 }))
    .map(([units, places]) => fromSmallestUnit(units, places));

  test('is compared with the percentage without rounding, as is a rise', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        percent,
        (was, is, rate) => {
          const [whole = '0', fraction = ''] = rate.split('.');
          const hundredths = BigInt(whole + fraction.padEnd(2, '0'));
          const left = is * 10_000n < was * (10_000n - hundredths);
          const risen = is * 10_000n > was * (10_000n + hundredths);
          const [before, now] = [fromSmallestUnit(was, 8), fromSmallestUnit(is, 8)];
          expect([fellBeyond(before, now, rate), roseBeyond(before, now, rate)]).toEqual([left, risen]);
        },
      ),
    );
  });

  test('is never also a rise, and ignores trailing zeros', () => {
    fc.assert(
      fc.property(amount, amount, percent, (before, now, rate) => {
        expect(fellBeyond(before, now, rate) && roseBeyond(before, now, rate)).toBe(false);
        const longer = now.includes('.') ? `${now}000` : `${now}.000`;
        expect(percentChange(before, longer)).toBe(percentChange(before, now));
        expect(fellBeyond(before, longer, rate)).toBe(fellBeyond(before, now, rate));
      }),
    );
  });
});

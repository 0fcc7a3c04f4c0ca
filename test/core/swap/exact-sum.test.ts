import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum, productOf } from '../../../src/core/swap/amount.ts';
import { aDecimal } from './decimals.ts';

BigNumber.config({ DECIMAL_PLACES: 2000, EXPONENTIAL_AT: 1e9 });

describe('an exact sum', () => {
  it('equals the sum of an independent library, in any order and in parts', () => {
    fc.assert(
      fc.property(fc.array(aDecimal), fc.array(aDecimal), (some, others) => {
        const [one, other] = [new ExactSum(), new ExactSum()];
        for (const amount of some) one.add(amount);
        for (const amount of others) other.add(amount);
        one.addSum(other);
        const wanted = [...some, ...others].reduce((sum, each) => sum.plus(each), new BigNumber(0));
        expect(one.amount).toBe(wanted.toFixed());
      }),
    );
  });

  it('starts at 0 and keeps 18 decimals', () => {
    const sum = new ExactSum();
    expect(sum.amount).toBe('0');
    for (const amount of ['0.1', '0.2', '123456789012345678901234567890.000000000000000001']) sum.add(amount);
    expect(sum.amount).toBe('123456789012345678901234567890.300000000000000001');
  });
});

it('a product equals that of an independent library to the last digit', () => {
  fc.assert(
    fc.property(fc.array(aDecimal, { maxLength: 4 }), (factors) => {
      const wanted = factors.reduce((product, each) => product.times(each), new BigNumber(1));
      expect(productOf(factors)).toBe(wanted.toFixed());
    }),
  );
});

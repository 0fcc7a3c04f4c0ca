import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkAmount,
  compareDecimals,
  fromSmallestUnit,
  isZero,
  plainDecimal,
  productOf,
  sameAmount,
  shortenBound,
  significantPlaces,
  toSmallestUnit,
} from '../../../src/core/swap/amount.ts';
import { words } from '../../helpers/words.ts';

/** A decimal as exact fraction: its digits as a whole number, over ten to the power of its places. */
function fraction(text: string): { readonly units: bigint; readonly places: number } {
  const [whole = '', decimals = ''] = text.split('.');
  return {
    units: BigInt(whole.replace('-', '') + decimals) * (text.startsWith('-') ? -1n : 1n),
    places: decimals.length,
  };
}

/** Sign of the exact difference. */
function exactOrder(a: string, b: string): number {
  const [left, right] = [fraction(a), fraction(b)];
  const difference = left.units * 10n ** BigInt(right.places) - right.units * 10n ** BigInt(left.places);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

const whole = fc.stringMatching(/^(0|[1-9][0-9]{0,30})$/);
const decimals = fc.stringMatching(/^(\.[0-9]{1,30})?$/);
const positive = fc.tuple(whole, decimals).map((parts) => parts.join(''));
const decimal = fc.tuple(fc.constantFrom('', '-'), positive).map((parts) => parts.join(''));

describe('a typed amount', () => {
  const NO_DECIMAL = 'it is not a plain decimal number such as 0.1';

  it.each(['1', '0.1', '0.00000001', '100.50', '1.0', '0.10', `0.${'0'.repeat(70)}1`, '9'.repeat(80)])(
    'is accepted unchanged: $0',
    (text) => expect(checkAmount(text)).toEqual({ ok: true, amount: text }),
  );

  it.each<readonly [string, string]>([
    ['', 'it is empty'],
    ['1,5', 'it contains a comma; use a decimal point and no thousands separators'],
    ['1,000.00', 'it contains a comma; use a decimal point and no thousands separators'],
    ['1e-3', 'it must not have an exponent'],
    ['1E3', 'it must not have an exponent'],
    ['0x1', 'it must be a decimal number'],
    ['0b1', 'it must be a decimal number'],
    ['+1', 'it must not start with a plus sign'],
    ['-1', 'it must be greater than zero'],
    ['-0', 'it must be greater than zero'],
    ['0', 'it must be greater than zero'],
    ['0.000', 'it must be greater than zero'],
    ['.5', 'it starts with a dot; write 0.5'],
    ['5.', 'it ends with a dot'],
    ['007', 'it has a leading zero'],
    [' 1', 'it contains a space'],
    ['1\n', 'it contains a space'],
    ['1 000', 'it contains a space'],
    ['9'.repeat(81), 'it is longer than 80 characters'],
    ...words("1_000 1'000 1.2.3 NaN Infinity ١ １ 1n 1BTC").map((text) => [text, NO_DECIMAL] as const),
  ])('is rejected as $0: $1', (text, reason) => expect(checkAmount(text)).toEqual({ ok: false, reason }));

  it('is accepted only if it is a plain decimal greater than zero', () => {
    const anything = fc.oneof(decimal, fc.string(), fc.stringMatching(/^[0-9.,eE+\-x ]{0,12}$/));
    fc.assert(
      fc.property(anything, (text) => {
        const isPlain = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) && /[1-9]/.test(text) && text.length <= 80;
        expect(checkAmount(text).ok).toBe(isPlain);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('plainDecimal', () => {
  it.each([
    ['1.50e-7', '0.000000150'],
    ['1e3', '1000'],
    ['1.5e1', '15'],
    ['1.50e1', '15.0'],
    ['123.456E+1', '1234.56'],
    ['-2.5e-1', '-0.25'],
    ['0e5', '0'],
    ['1e0', '1'],
    ['1e-0', '1'],
    ['1e0000000001', '10'],
    ['-0', '-0'],
    ['0.10', '0.10'],
    ['1e-8', '0.00000001'],
  ])('turns %s into %s', (text, expected) => expect(plainDecimal(text)).toBe(expected));

  it.each(['', ' 1', '1 ', '1\n', ...words('+1 .5 5. 01 1e 0x1 NaN Infinity 1,5 1e400000000')])(
    'returns undefined for %j',
    (text) => expect(plainDecimal(text)).toBeUndefined(),
  );

  it('returns undefined if the result would exceed 1,000 characters', () => {
    for (const text of ['1e1001', '1e-1001', '1e999999', '-1e-999999', '1'.repeat(1001)])
      expect(plainDecimal(text)).toBeUndefined();
    expect(plainDecimal('1e400')).toBe(`1${'0'.repeat(400)}`);
  });

  it('returns the exact value without an exponent', () => {
    const exponent = fc.integer({ min: -60, max: 60 });
    fc.assert(
      fc.property(decimal, exponent, fc.constantFrom('e', 'E'), (number, power, mark) => {
        const expanded = plainDecimal(`${number}${mark}${power}`) ?? '';
        expect(expanded).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
        const scale = `1${'0'.repeat(Math.abs(power))}`;
        const [left, right] = power < 0 ? [times(expanded, scale), number] : [expanded, times(number, scale)];
        expect(exactOrder(left, right)).toBe(0);
      }),
    );
  });
});

function times(number: string, scale: string): string {
  const { units, places } = fraction(number);
  const product = (units < 0n ? -units : units) * BigInt(scale);
  const digits = product.toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0n ? `-${text}` : text;
}

describe('comparing decimals', () => {
  it('uses their exact values', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(compareDecimals(a, b)).toBe(exactOrder(a, b));
        expect(compareDecimals(b, a)).toBe(0 - compareDecimals(a, b));
        expect(sameAmount(a, b)).toBe(compareDecimals(a, b) === 0);
      }),
    );
  });

  it('ignores trailing zeros', () => {
    fc.assert(
      fc.property(positive, fc.nat(20), (amount, zeros) => {
        const longer = `${amount.includes('.') ? amount : `${amount}.0`}${'0'.repeat(zeros)}`;
        expect(sameAmount(amount, longer)).toBe(true);
        expect(significantPlaces(longer)).toBe(significantPlaces(amount));
        expect(isZero(longer)).toBe(isZero(amount));
      }),
    );
  });
});

describe('converting to the smallest unit', () => {
  it.each([
    ['0.5', 8, 50_000_000n],
    ['1', 0, 1n],
    ['1.000', 0, 1n],
    ['100.0', 2, 10_000n],
    ['0.000000000000000001', 18, 1n],
    ['0.00', 8, 0n],
    ['21000000', 8, 2_100_000_000_000_000n],
  ])('turns %s with %i decimals into %s', (amount, places, units) => {
    expect(toSmallestUnit(amount, places)).toBe(units);
  });

  it('and back returns the same amount without trailing zeros', () => {
    fc.assert(
      fc.property(positive, (amount) => {
        const back = fromSmallestUnit(toSmallestUnit(amount, 30), 30);
        expect(sameAmount(back, amount)).toBe(true);
        expect(back).not.toMatch(/\.$|\..*0$/);
      }),
    );
  });

  it('restores any integer converted from it', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(40), (units, places) => {
        expect(toSmallestUnit(fromSmallestUnit(units, places), places)).toBe(units);
      }),
    );
  });

  it('throws RangeError if a digit would be lost', () => {
    expect(() => toSmallestUnit('0.123', 2)).toThrow(
      new RangeError('The amount has more decimals than the unit.'),
    );
    expect(() => toSmallestUnit('1.0000000001', 9)).toThrow(RangeError);
  });
});

describe('shortenBound', () => {
  it.each([
    ['0.123456', 4, 'up', '0.1235'],
    ['0.123456', 4, 'down', '0.1234'],
    ['0.99999', 2, 'up', '1'],
    ['0.00001', 2, 'down', '0'],
    ['1.50', 1, 'up', '1.50'],
    ['12', 0, 'down', '12'],
  ] as const)('for %s to %i decimals, rounded %s, returns %s', (amount, places, direction, expected) => {
    expect(shortenBound(amount, places, direction)).toBe(expected);
  });

  it('never crosses the exact bound and stays within one step of it', () => {
    fc.assert(
      fc.property(positive, fc.nat(12), (amount, places) => {
        const up = shortenBound(amount, places, 'up');
        const down = shortenBound(amount, places, 'down');
        expect(compareDecimals(up, amount)).toBeGreaterThanOrEqual(0);
        expect(compareDecimals(down, amount)).toBeLessThanOrEqual(0);
        const step = toSmallestUnit(up, 40) - toSmallestUnit(down, 40);
        expect(step).toBeLessThanOrEqual(10n ** BigInt(40 - places));
        expect(significantPlaces(up)).toBeLessThanOrEqual(places);
      }),
    );
  });
});

it('a product of decimals is exact to the last digit', () => {
  const value = (text: string) => {
    const { units, places } = fraction(text);
    return units * 10n ** BigInt(200 - places);
  };
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(value(productOf([a, b])) * 10n ** 200n).toBe(value(a) * value(b));
    }),
  );
});

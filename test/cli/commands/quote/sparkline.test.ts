import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sparkline } from '../../../../src/cli/commands/quote/sparkline.ts';

describe('a sparkline', () => {
  test.each([
    [[], ''],
    [['1.5'], '▄'],
    [['2', '2.0', '2.00'], '▄▄▄'],
    [['1', '2'], '▁█'],
    [['0', '1', '2', '3', '4', '5', '6', '7'], '▁▂▃▄▅▆▇█'],
    [['28.65275036835800705', '28.65275036835800704'], '█▁'],
    [['0', '0.49', '0.51', '1'], '▁▄▅█'],
  ])('of %j is %s', (numbers, bars) => {
    expect(sparkline(numbers)).toBe(bars);
  });

  test('has one bar per number, including the lowest and the highest bar', () => {
    const numbers = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String), {
      minLength: 2,
      maxLength: 60,
    });
    fc.assert(
      fc.property(numbers, (list) => {
        const bars = [...sparkline(list)];
        expect(bars).toHaveLength(list.length);
        if (new Set(list).size > 1) expect([bars.includes('▁'), bars.includes('█')]).toEqual([true, true]);
      }),
    );
  });
});

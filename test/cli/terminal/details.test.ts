import { describe, expect, test } from 'vitest';
import { flatRows, renderDetails } from '../../../src/cli/terminal/details.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

describe('a details view', () => {
  test('aligns values in one column and leaves out unknown ones', () => {
    const lines = [
      ['Amount', '0.1 BTC'],
      ['Memo', null],
      ['To', ADDRESS],
      ['Empty', ''],
    ] as const;
    expect(renderDetails(lines, PLAIN, 80)).toBe(` Amount  0.1 BTC\n To      ${ADDRESS}\n`);
  });

  test('puts a value that does not fit on its own line', () => {
    expect(renderDetails([['Payout address', ADDRESS]], PLAIN, 50)).toBe(` Payout address\n   ${ADDRESS}\n`);
  });

  test('starts a value wider than the terminal at the left edge', () => {
    expect(renderDetails([['To', ADDRESS]], PLAIN, 30)).toBe(` To\n${ADDRESS}\n`);
  });

  test('wraps only prose at spaces', () => {
    const memo = 'order 12 for Ann and Bob';
    const lines = [
      ['Fee', 'inside the rate, and so on', undefined, 'prose'],
      ['Memo', memo],
    ] as const;
    expect(renderDetails(lines, PLAIN, 27)).toBe(
      ` Fee   inside the rate, and\n       so on\n Memo\n   ${memo}\n`,
    );
  });

  test('escapes hidden characters', () => {
    expect(renderDetails([['Memo', 'a\u202eb\nc']], PLAIN, 80)).toBe(' Memo  a<U+202E>b<U+000A>c\n');
  });
});

test('flatRows flattens nested values into paths and strings', () => {
  expect(flatRows({ order: 'A', deposit: { amount: '0.10', memo: null }, list: [1, true] })).toEqual([
    ['order', 'A'],
    ['deposit.amount', '0.10'],
    ['deposit.memo', ''],
    ['list.0', '1'],
    ['list.1', 'true'],
  ]);
});

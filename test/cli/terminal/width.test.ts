import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shown, visible, visibleLines } from '../../../src/base/text.ts';
import { flatRows, renderDetails } from '../../../src/cli/terminal/details.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import { displayWidth, padded, wrapWords } from '../../../src/cli/terminal/width.ts';

describe('wrapping at spaces', () => {
  test.each([
    ['short', 20, ['short']],
    ['one two three', 7, ['one two', 'three']],
    ['averylongword and more', 6, ['averylongword', 'and', 'more']],
    ['  indented text goes on', 12, ['  indented', '  text goes', '  on']],
    ['two\nlines', 20, ['two', 'lines']],
    ['run `swapctl history` first', 20, ['run', '`swapctl history`', 'first']],
    ['比特币 以太坊', 7, ['比特币', '以太坊']],
    ['', 10, ['']],
  ])('wraps %j at %i', (text, width, wanted) => {
    expect(wrapWords(visibleLines(text), width)).toEqual(wanted);
  });

  test('keeps every word and the maximum width', () => {
    const text = fc.array(fc.stringMatching(/^[a-z0-9.,]{1,25}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 5, max: 80 }), (words, width) => {
        const lines = wrapWords(visible(words.join(' ')), width);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test.each([
  ['abc', 3],
  ['比特', 4],
  ['e\u0301', 1],
  ['🚀', 2],
  ['ö', 1],
])('%s is %i columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('padding counts terminal columns, not characters', () => {
  expect([padded(shown`比`, 4), padded(shown`x`, 3, 'right'), padded(shown`long`, 2)]).toEqual([
    '比  ',
    '  x',
    'long',
  ]);
});

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

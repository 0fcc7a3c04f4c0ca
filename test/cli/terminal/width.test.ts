import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shown, visible, visibleLines } from '../../../src/base/text.ts';
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

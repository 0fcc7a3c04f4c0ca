import fc from 'fast-check';

import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters, shown } from '../../../src/base/text.ts';
import { createStyle, PLAIN } from '../../../src/cli/terminal/style.ts';
import { type Column, MAX_TABLE_ROWS, renderTable } from '../../../src/cli/terminal/table.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { anyCharacter } from '../../helpers/any-character.ts';
import { IN_LONG_RUN, randomRuns } from '../../helpers/random-runs.ts';

const COLUMNS: readonly Column[] = [
  { title: 'ORDER' },
  { title: 'AMOUNT', align: 'right' },
  { title: 'NOTE', wraps: true },
];

const lines = (text: string) => text.replace(/\n$/, '').split('\n');

describe('a table', () => {
  test('has a header, aligned columns and no trailing spaces', async () => {
    const rows = [
      ['ABC', '0.1', 'one'],
      ['DEFGH', '12.25', ''],
    ];
    expect(await renderTable(COLUMNS, rows, PLAIN, 80)).toBe(
      ' ORDER  AMOUNT  NOTE\n ABC       0.1  one\n DEFGH   12.25\n',
    );
  });

  test('wraps only wrappable columns, at spaces', async () => {
    const rows = [['ABC', '0.1', 'several words that need more room']];
    expect(await renderTable(COLUMNS, rows, PLAIN, 35)).toBe(
      ' ORDER  AMOUNT  NOTE\n ABC       0.1  several words that\n                need more room\n',
    );
  });

  test('becomes blocks with unbroken values if the values do not fit', async () => {
    const rows = [
      ['A'.repeat(30), '0.123456789012345678', 'x'],
      ['B', '1', 'y'],
    ];
    expect(await renderTable(COLUMNS, rows, PLAIN, 40)).toBe(
      ` ${'A'.repeat(30)}\n   AMOUNT  0.123456789012345678\n   NOTE    x\n\n B\n   AMOUNT  1\n   NOTE    y\n`,
    );
  });

  test('stays aligned with colored cells', async () => {
    const style = await createStyle(true);
    const columns: readonly Column[] = [
      { title: 'A', paint: style.green },
      { title: 'B', paint: style.red },
    ];
    const text = await renderTable(
      columns,
      [
        ['x', 'yy'],
        ['zzz', 'w'],
      ],
      style,
      80,
    );
    const { stripVTControlCharacters } = await import('node:util');
    expect(stripVTControlCharacters(text)).toBe(' A    B\n x    yy\n zzz  w\n');
    expect(text).toContain(style.green(shown`x`));
  });

  test.each([
    ['Chinese', '比特币'],
    ['Korean', '비트코인'],
    ['emoji', '🚀🌕'],
    ['combining accents', 'e\u0301e\u0301'],
    ['half-width katakana', 'ﾋﾞｯﾄ'],
    ['full-width letters', 'ＢＴＣ'],
  ])('stays aligned with %s, as a table and as plain columns', async (_, name) => {
    const few = [
      [name, '1', 'end'],
      ['ascii', '22', 'end'],
    ];
    const many = [...few, ...Array.from({ length: MAX_TABLE_ROWS }, () => ['x', '1', 'end'])];
    for (const rows of [few, many]) {
      const text = await renderTable(COLUMNS, rows, PLAIN, 80);
      const ends = lines(text)
        .slice(1)
        .map((line) => displayWidth(line));
      expect(new Set(ends).size).toBe(1);
    }
  });

  test('fits the terminal with any number of rows', async () => {
    const amount = '123456.123456789012345678';
    for (const count of [1, MAX_TABLE_ROWS, MAX_TABLE_ROWS + 1]) {
      const rows = Array.from({ length: count }, () => ['QVOAZB', amount, 'a note that has to be broken']);
      for (const width of [30, 44, 60, 200]) {
        const text = await renderTable(COLUMNS, rows, PLAIN, width);
        expect(lines(text).every((line) => displayWidth(line) <= Math.max(width, amount.length + 11))).toBe(
          true,
        );
        expect(text.split(amount)).toHaveLength(count + 1);
      }
    }
    const many = Array.from({ length: MAX_TABLE_ROWS + 1 }, () => ['A', '1.5', 'one two three four']);
    expect(lines(await renderTable(COLUMNS, many, PLAIN, 30)).slice(0, 3)).toEqual([
      ' ORDER  AMOUNT  NOTE',
      ' A         1.5  one two three',
      '                four',
    ]);
  });

  test('puts the title of a numeric first column at the head of each block', async () => {
    const columns = [{ title: 'ROW', align: 'right' as const }, { title: 'ADDRESS' }];
    const text = await renderTable(columns, [['7', 'a'.repeat(40)]], PLAIN, 30);
    expect(lines(text)).toEqual([' ROW 7', '   ADDRESS', 'a'.repeat(40)]);
  });

  test('is aligned by the escaped form of hidden characters', async () => {
    const text = await renderTable(
      COLUMNS,
      [
        ['a\u200bb', '1', 'end'],
        ['c', '2', 'end'],
      ],
      PLAIN,
      80,
    );
    expect(text).toBe(' ORDER       AMOUNT  NOTE\n a<U+200B>b       1  end\n c                2  end\n');
  });

  test('escapes hidden characters in titles', async () => {
    expect(await renderTable([{ title: 'SEND \u202eX' }], [['1']], PLAIN, 80)).toBe(' SEND <U+202E>X\n 1\n');
  });

  test('escapes hidden characters in all cells', async () => {
    const cell = fc.string({ unit: anyCharacter, maxLength: 30 });
    const rowsOf = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.integer({ min: 20, max: 200 }), async (rows, width) => {
        const text = await renderTable(COLUMNS, rows, PLAIN, width);
        for (const line of lines(text)) expect(hasHiddenCharacters(line)).toBe(false);
      }),
      { numRuns: randomRuns(150) },
    );
  });

  test('never breaks words of values at any width', async () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9]{1,60}$/);
    await fc.assert(
      fc.asyncProperty(
        word,
        word,
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 10, max: 120 }),
        async (order, amount, note, width) => {
          const words = (await renderTable(COLUMNS, [[order, amount, note.join(' ')]], PLAIN, width)).split(
            /\s+/,
          );
          for (const part of [order, amount, ...note]) expect(words).toContain(part);
        },
      ),
      { numRuns: 150 },
    );
  });

  test.runIf(IN_LONG_RUN)('renders 50,000 rows as plain columns', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => [`ORDER${index}`, String(index), 'note']);
    const text = await renderTable(COLUMNS, rows, PLAIN, 80);
    expect(lines(text)).toHaveLength(50_001);
    expect(lines(text)[1]).toBe(' ORDER0           0  note');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters } from '../../../src/base/text.ts';
import { csvCell, csvLine, csvText } from '../../../src/cli/terminal/encode.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

describe('CSV', () => {
  test('has a header of paths, a line for each item, and line ends as RFC 4180 wants them', () => {
    const items = [
      { order: 'A', deposit: { amount: '0.10', memo: null } },
      { order: 'B', deposit: { amount: '2', memo: 'x,"y"' } },
    ];
    expect(csvText(items)).toBe('order,deposit.amount,deposit.memo\r\nA,0.10,\r\nB,2,"x,""y"""\r\n');
  });

  test('is empty for nothing', () => {
    expect(csvText([])).toBe('');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '|cmd', '%x', ' =1', '\u00a0=1', '＝1', '＋1', '－1', '＠x'])(
    '%j is no longer a formula',
    (cell) => {
      expect(csvCell(cell).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  test.each(['0.1', 'bc1q', '12345', 'XRP', 'a=b', ''])('%j stays as it is', (cell) => {
    expect(csvCell(cell)).toBe(cell);
  });

  test('no cell holds a hidden character, begins like a formula, or breaks out of its line', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const cell = csvCell(text);
        expect(hasHiddenCharacters(cell)).toBe(false);
        expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@|%\t\r]/);
        expect(cell).toMatch(/^(?:[^",]*|"(?:[^"]|"")*")$/);
      }),
    );
  });

  test('a line has its cells as they are written one by one', () => {
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.constantFrom('', ' ', ' =1', '=1', 'a,b', '"', 'a\nb', '-1', '1-2', '0.1', '\\', '~'),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(csvLine(cells)).toBe(`${cells.map(csvCell).join(',')}\r\n`);
      }),
      { numRuns: 2000 },
    );
  });
});

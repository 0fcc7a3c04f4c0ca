import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters } from '../../../src/base/text.ts';
import { csvCell, csvLine, csvText } from '../../../src/cli/terminal/encode.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

describe('CSV output', () => {
  test('has a header of paths, a line per item and CRLF line endings', () => {
    const items = [
      { order: 'A', deposit: { amount: '0.10', memo: null } },
      { order: 'B', deposit: { amount: '2', memo: 'x,"y"' } },
    ];
    expect(csvText(items)).toBe('order,deposit.amount,deposit.memo\r\nA,0.10,\r\nB,2,"x,""y"""\r\n');
  });

  test('is empty for an empty list', () => {
    expect(csvText([])).toBe('');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '|cmd', '%x', ' =1', '\u00a0=1', '＝1', '＋1', '－1', '＠x'])(
    'escapes the formula %j',
    (cell) => {
      expect(csvCell(cell).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  test.each(['0.1', 'bc1q', '12345', 'XRP', 'a=b', ''])('leaves %j unchanged', (cell) => {
    expect(csvCell(cell)).toBe(cell);
  });

  test('never contains a hidden character, a formula or an unquoted line break in a cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const cell = csvCell(text);
        expect(hasHiddenCharacters(cell)).toBe(false);
        expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@|%\t\r]/);
        expect(cell).toMatch(/^(?:[^",]*|"(?:[^"]|"")*")$/);
      }),
    );
  });

  test('formats a line like its cells one by one', () => {
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

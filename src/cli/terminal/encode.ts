import { drawn, joined, shown, type Visible, visible, visibleLines } from '../../base/text.ts';
import { flatRows } from './details.ts';

/** Text from outside for a terminal: its lines are kept, and its hidden characters shown. */
export function visibleForTerminal(text: string): Visible {
  return visibleLines(text);
}

/** Text from outside for a pipe or a file, where no terminal reads it and no byte may change. */
export function unchanged(text: string): Visible {
  return drawn(text);
}

/** Non-ASCII characters in swapctl's texts, and their substitutes. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '…': '...',
  '·': '-',
  '•': '*',
  '→': '->',
  '↑': '^',
  '↓': 'v',
  '−': '-',
  '×': 'x',
  '✗': 'x',
  '✓': '*',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '●': '*',
  '○': 'o',
  '✔': '*',
};

/**
 * A visible text in ASCII, for a terminal that supports nothing else: swapctl's own symbols are replaced, and any other
 * character is written out as in {@link visible}, so that no address or memo is shown as something else.
 */
export function asciiOf(text: Visible): Visible {
  return drawn(
    text.replace(
      /[^\0-\x7f]/gu,
      (character) =>
        SUBSTITUTES[character] ??
        `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    ),
  );
}

/** One line of RFC 4180 CSV. A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvLine(cells: readonly string[]): Visible {
  const line = cells.join(',');
  // One test for the whole line, as nearly all are plain: cell by cell, a long export takes half as long again.
  if (PLAIN.test(cells.join('')) && !MAYBE_FORMULA.test(line)) return drawn(`${line}\r\n`);
  return shown`${joined(cells.map(csvCell), shown`,`)}\r\n`;
}

/** Printable ASCII without quotes and commas, and the beginning of a cell that may be a formula. */
const PLAIN = /^[ !#-+\--~]*$/;
const MAYBE_FORMULA = /(?:^|,)[ =+\-@|%]/;

/** Objects of one shape as CSV, a column for each path. */
export function csvText(items: readonly object[]): Visible {
  const rows = items.map((item) => new Map(flatRows(item)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  if (columns.length === 0) return shown``;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return joined(lines.map(csvLine));
}

/** One cell: hidden characters made visible, formulas disarmed, quoted where the format needs it. */
export function csvCell(value: string): Visible {
  const clean = visible(value);
  const harmless = /^\s*[=+\-@|%＝＋－＠]/.test(clean) ? `'${clean}` : clean;
  return visible(/[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless);
}

import { joined, shown, type Visible, visible } from '../text.ts';
import { flatRows } from './details.ts';

/** One line of RFC 4180 CSV. A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvLine(cells: readonly string[]): Visible {
  return shown`${joined(cells.map(csvCell), shown`,`)}\r\n`;
}

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

import { displayWidth, longestWord } from './width.ts';

/** Facts about a column that its width depends on. */
export interface LaidColumn {
  readonly title: string;
  /** Its text may be broken at blanks when the terminal is narrow. */
  readonly wraps?: boolean;
}

/** Number of blanks between two columns. */
export const GAP = 2;
/** Number of blanks before the first column. */
export const MARGIN = 1;

const MIN_WRAPPED = 8;

/** Widths at which every cell stands on one line. */
export function naturalWidths(
  columns: readonly LaidColumn[],
  rows: readonly (readonly string[])[],
): number[] {
  const widths = columns.map(({ title }) => displayWidth(title));
  for (const row of rows) {
    for (let index = 0; index < widths.length; index += 1) {
      const size = displayWidth(row[index] ?? '');
      if (size > (widths[index] ?? 0)) widths[index] = size;
    }
  }
  return widths;
}

/**
 * Column widths for a terminal: as they are where that fits, else with the columns that wrap made narrower, never
 * narrower than their longest word. Null where even so the rows do not fit.
 */
export function columnWidths(
  columns: readonly LaidColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): number[] | null {
  const natural = naturalWidths(columns, rows);
  let excess = natural.reduce((sum, size) => sum + size, MARGIN + GAP * (columns.length - 1)) - width;
  if (excess <= 0) return natural;
  const least = columns.map((column, index) => leastWidth(column, rows, index, natural[index] ?? 0));
  const widths = [...natural];
  while (excess > 0) {
    const widest = widestToNarrow(widths, least);
    if (widest < 0) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function leastWidth(
  column: LaidColumn,
  rows: readonly (readonly string[])[],
  index: number,
  natural: number,
): number {
  if (column.wraps !== true) return natural;
  const words = rows.reduce((longest, row) => Math.max(longest, longestWord(row[index] ?? '')), 0);
  return Math.max(displayWidth(column.title), words, Math.min(natural, MIN_WRAPPED));
}

/** Index of the column to narrow next: the widest that can still be narrowed; -1 for none. */
function widestToNarrow(widths: readonly number[], least: readonly number[]): number {
  let found = -1;
  widths.forEach((size, index) => {
    if (size > (least[index] ?? 0) && (found < 0 || size > (widths[found] ?? 0))) found = index;
  });
  return found;
}

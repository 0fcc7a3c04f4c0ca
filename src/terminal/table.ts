import { visible } from '../swap/text.ts';
import type { Style } from './style.ts';

/** Rows above this are laid out as plain columns: cli-table3's time grows with the square of the rows. */
export const MOST_TABLE_ROWS = 300;

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The column whose text may be broken at spaces when the terminal is narrow. */
  readonly wraps?: boolean;
  readonly paint?: (text: string, row: readonly string[]) => string;
}

/** Rows under a header, with hidden characters made visible; a few as a table, many as plain columns. */
export async function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
  width: number,
): Promise<string> {
  const clean = rows.map((row) => row.map(visible));
  if (clean.length > MOST_TABLE_ROWS) return plainColumns(columns, clean, style);
  const widths = fitted(columns, clean, width);
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: columns.map(({ title }) => style.bold(title)),
    style: { head: [], border: [], compact: true },
    chars: BORDERS,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    wrapOnWordBoundary: true,
    ...(widths === null ? {} : { colWidths: widths }),
  });
  for (const row of clean) table.push(row.map((cell, index) => columns[index]?.paint?.(cell, row) ?? cell));
  return `${table.toString().replace(/[ ]+$/gm, '')}\n`;
}

const BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};

const LEAST_WRAPPED = 12;

/** Column widths where the rows do not fit as they are and a column may wrap; null to leave them as they are. */
function fitted(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): (number | null)[] | null {
  const natural = naturalWidths(columns, rows).map((size) => size + 2);
  const separators = columns.length - 1;
  const total = natural.reduce((sum, size) => sum + size, separators);
  const wrapping = columns.findIndex(({ wraps }) => wraps === true);
  if (total <= width || wrapping < 0) return null;
  const room = Math.max(LEAST_WRAPPED, (natural[wrapping] ?? 0) - (total - width));
  return natural.map((size, index) => (index === wrapping ? room : size));
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  const widths = columns.map(({ title }) => title.length);
  for (const row of rows) {
    row.forEach((cell, index) => {
      if (cell.length > (widths[index] ?? 0)) widths[index] = cell.length;
    });
  }
  return widths;
}

function plainColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const widths = naturalWidths(columns, rows);
  const last = columns.length - 1;
  const pad = (cell: string, index: number) => {
    if (columns[index]?.align === 'right') return cell.padStart(widths[index] ?? 0);
    return index === last ? cell : cell.padEnd(widths[index] ?? 0);
  };
  let text = ` ${style.bold(columns.map(({ title }, index) => pad(title, index)).join('  '))}\n`;
  for (const row of rows) {
    text += ` ${row.map((cell, index) => columns[index]?.paint?.(pad(cell, index), row) ?? pad(cell, index)).join('  ')}\n`;
  }
  return text;
}

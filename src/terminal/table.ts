import { visible } from '../swap/text.ts';
import { columnWidths, GAP, MARGIN, naturalWidths } from './layout.ts';
import { renderSheet } from './sheet.ts';
import type { Style } from './style.ts';
import { padded, wrapWords } from './width.ts';

/** Rows above this are laid out as plain columns: cli-table3's time grows with the square of the rows. */
export const MOST_TABLE_ROWS = 300;

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The column's text may be broken at blanks when the terminal is narrow. */
  readonly wraps?: boolean;
  readonly paint?: (text: string, row: readonly string[]) => string;
}

type Rows = readonly (readonly string[])[];

/**
 * Rows under a header, with hidden characters made visible: a few as a table, many as plain columns, and where
 * they do not fit into the terminal one under the other. No word is ever broken or cut.
 */
export async function renderTable(
  columns: readonly Column[],
  rows: Rows,
  style: Style,
  width: number,
): Promise<string> {
  const clean = rows.map((row) => row.map(visible));
  const titled = columns.map((column) => ({ ...column, title: visible(column.title) }));
  if (clean.length > MOST_TABLE_ROWS) return plainColumns(titled, clean, style);
  const widths = columnWidths(titled, clean, width);
  return widths === null ? stacked(titled, clean, style, width) : table(titled, clean, style, widths);
}

async function table(
  columns: readonly Column[],
  rows: Rows,
  style: Style,
  widths: readonly number[],
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const made = new Table({
    head: columns.map(({ title }) => style.bold(title)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: BORDERS,
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  for (const row of rows) {
    made.push(
      columns.map(({ paint, wraps }, index) => {
        const cell = row[index] ?? '';
        const lines = wraps === true ? wrapWords(cell, widths[index] ?? 0) : [cell];
        return lines.map((line) => paint?.(line, row) ?? line).join('\n');
      }),
    );
  }
  return `${made.toString().replace(/[ ]+$/gm, '')}\n`;
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
  left: ' '.repeat(MARGIN),
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/** A block for each row, its first cell as the heading. */
function stacked(columns: readonly Column[], rows: Rows, style: Style, width: number): string {
  return rows
    .map((row) => {
      const [first, ...others] = columns;
      const lines = others.map(
        ({ title, paint, wraps }, index) =>
          [
            `  ${title}`,
            row[index + 1] ?? '',
            (text: string) => paint?.(text, row) ?? text,
            wraps === true ? 'prose' : undefined,
          ] as const,
      );
      const heading = row[0] ?? '';
      return ` ${first?.paint?.(heading, row) ?? heading}\n${renderSheet(lines, style, width)}`;
    })
    .join('\n');
}

function plainColumns(columns: readonly Column[], rows: Rows, style: Style): string {
  const widths = naturalWidths(columns, rows);
  const last = columns.length - 1;
  const gap = ' '.repeat(GAP);
  const margin = ' '.repeat(MARGIN);
  const pad = (cell: string, index: number): string => {
    const align = columns[index]?.align;
    return index === last && align === undefined ? cell : padded(cell, widths[index] ?? 0, align);
  };
  const lines = [
    style.bold(columns.map(({ title }, index) => pad(title, index)).join(gap)),
    ...rows.map((row) =>
      columns
        .map(({ paint }, index) => {
          const cell = pad(row[index] ?? '', index);
          return paint?.(cell, row) ?? cell;
        })
        .join(gap),
    ),
  ];
  return lines
    .map((line) => `${margin}${line}`.replace(/ +$/, ''))
    .join('\n')
    .concat('\n');
}

import { drawn, joined, shown, type Visible, visible } from '../../base/text.ts';
import { renderDetails } from './details.ts';
import type { Style } from './style.ts';
import { displayWidth, longestWord, padded, spaces, wrapWords } from './width.ts';

/** Rows above this are drawn without cli-table3, whose time grows with the square of the rows. */
export const MAX_TABLE_ROWS = 300;

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The column's text may be broken at spaces when the terminal is narrow. */
  readonly wraps?: boolean;
  readonly paint?: (text: Visible, row: readonly Visible[]) => Visible;
}

type CleanColumn = Column & { readonly title: Visible };
type CleanRows = readonly (readonly Visible[])[];

const EMPTY = shown``;
/** Number of spaces between two columns. */
const GAP = 2;
/** Number of spaces before the first column. */
const MARGIN = 1;
const MIN_WRAPPED = 8;

/**
 * Column widths for a terminal: those of the longest cells where they fit, else with the columns that wrap made narrower,
 * never narrower than their longest word. Null if the rows do not fit even so.
 */
export function layout(
  columns: readonly Pick<Column, 'title' | 'wraps'>[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] | null {
  const natural = naturalWidths(columns, rows);
  const least = columns.map(({ title, wraps }, index) => {
    const full = natural[index] ?? 0;
    if (wraps !== true) return full;
    const words = rows.reduce((longest, row) => Math.max(longest, longestWord(row[index] ?? '')), 0);
    return Math.max(displayWidth(title), words, Math.min(full, MIN_WRAPPED));
  });
  const widths = [...natural];
  for (let excess = tableWidth(natural) - width; excess > 0; excess -= 1) {
    const widest = widestToNarrow(widths, least);
    if (widest < 0) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function naturalWidths(columns: readonly Pick<Column, 'title'>[], rows: readonly (readonly string[])[]) {
  return columns.map(({ title }, index) =>
    rows.reduce((longest, row) => Math.max(longest, displayWidth(row[index] ?? '')), displayWidth(title)),
  );
}

/** Columns that a table with these column widths takes on the terminal. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, MARGIN + GAP * (widths.length - 1));
}

/** Index of the column to narrow next: the widest that can still be narrowed; -1 for none. */
function widestToNarrow(widths: readonly number[], least: readonly number[]): number {
  let found = -1;
  widths.forEach((size, index) => {
    if (size > (least[index] ?? 0) && (found < 0 || size > (widths[found] ?? 0))) found = index;
  });
  return found;
}

/**
 * Rows under a header, with hidden characters made visible; as blocks, one below the other, where the columns do not fit
 * into the terminal. No word is ever broken or cut.
 */
export async function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
  width: number,
): Promise<Visible> {
  const clean = rows.map((row) => row.map(visible));
  const titled = columns.map((column) => ({ ...column, title: visible(column.title) }));
  const widths = layout(titled, clean, width);
  if (widths === null) return stacked(titled, clean, style, width);
  const cells = clean.map((row) =>
    titled.map(({ wraps }, index) => {
      const cell = row[index] ?? EMPTY;
      return wraps === true ? wrapWords(cell, widths[index] ?? 0) : [cell];
    }),
  );
  const text =
    clean.length > MAX_TABLE_ROWS
      ? longTable({ columns: titled, rows: clean, cells, widths }, style)
      : await table(titled, clean, cells, style);
  return drawn(text.replace(/ +$/gm, ''));
}

/** A column of a table of items, with the text of an item's cell in it. */
export interface ItemColumn<T> extends Column {
  cell(item: T, index: number): string;
  /** A shorter cell with the same meaning, for a terminal that is too narrow for one line. */
  short?(item: T, index: number): string;
  /** A cell with less information, if leaving out columns is not enough. */
  shortest?(item: T, index: number): string;
  /** The column may be left out so that a row fits on one line, the one with the highest number first. */
  readonly optional?: number;
}

/**
 * {@link renderTable} with a row for each item; nothing if there are none. If the rows do not fit on one line each,
 * short cells are used, and then optional columns left out; if that is not enough, all columns are shown.
 */
export async function renderItems<T>(
  items: readonly T[],
  columns: readonly ItemColumn<T>[],
  style: Style,
  width: number,
): Promise<Visible | ''> {
  if (items.length === 0) return '';
  const rowsOf = (chosen: readonly ItemColumn<T>[], length: Length) =>
    items.map((item, index) => chosen.map((column) => cellOf(column, length)(item, index)));
  for (const [length, left] of narrowings(columns)) {
    const rows = rowsOf(left, length);
    const clean = rows.map((row) => row.map(visible));
    if (tableWidth(naturalWidths(left, clean)) <= width) return renderTable(left, rows, style, width);
  }
  return renderTable(columns, rowsOf(columns, 'whole'), style, width);
}

type Length = 'whole' | 'short' | 'shortest';

function cellOf<T>({ cell, short = cell, shortest = short }: ItemColumn<T>, length: Length) {
  return { whole: cell, short, shortest }[length];
}

/** The forms of a table from the widest to the narrowest; none for one that has only one. */
function* narrowings<T>(
  columns: readonly ItemColumn<T>[],
): Generator<readonly [length: Length, columns: readonly ItemColumn<T>[]]> {
  const ranks = columns.flatMap(({ optional }) => optional ?? []).sort((a, b) => b - a);
  if (ranks.length === 0 && columns.every(({ short, shortest }) => (short ?? shortest) === undefined)) return;
  yield ['whole', columns];
  for (const length of ['short', 'shortest'] as const) {
    yield [length, columns];
    for (const rank of ranks) yield [length, columns.filter(({ optional = 0 }) => optional < rank)];
  }
}

/** The lines of each cell of each row. */
type Cells = readonly (readonly (readonly Visible[])[])[];

async function table(columns: readonly CleanColumn[], rows: CleanRows, cells: Cells, style: Style) {
  const { default: Table } = await import('cli-table3');
  const made = new Table({
    head: columns.map(({ title }) => style.bold(title)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: BORDERS,
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  for (const [at, row] of rows.entries())
    made.push(
      columns.map(({ paint }, index) =>
        (cells[at]?.[index] ?? []).map((line) => paint?.(line, row) ?? line).join('\n'),
      ),
    );
  return `${made.toString()}\n`;
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

/** A table with the lines of its cells and the widths of its columns. */
interface Layout {
  readonly columns: readonly CleanColumn[];
  readonly rows: CleanRows;
  readonly cells: Cells;
  readonly widths: readonly number[];
}

/** The same table in time that grows with its rows. */
function longTable({ columns, rows, cells, widths }: Layout, style: Style): string {
  const lineOf = (texts: readonly Visible[]) => shown`${spaces(MARGIN)}${joined(texts, spaces(GAP))}\n`;
  const last = columns.length - 1;
  const pad = (text: Visible, index: number) => {
    const align = columns[index]?.align;
    return index === last && align === undefined ? text : padded(text, widths[index] ?? 0, align);
  };
  const body = rows.flatMap((row, at) => {
    const height = Math.max(...columns.map((_, index) => cells[at]?.[index]?.length ?? 0));
    return Array.from({ length: height }, (_, line) =>
      lineOf(
        columns.map(({ paint }, index) => {
          const text = pad(cells[at]?.[index]?.[line] ?? EMPTY, index);
          return paint?.(text, row) ?? text;
        }),
      ),
    );
  });
  return joined([lineOf(columns.map(({ title }, index) => style.bold(pad(title, index)))), ...body]);
}

/** Rows as blocks, each with its first cell as the heading. */
function stacked(columns: readonly CleanColumn[], rows: CleanRows, style: Style, width: number): Visible {
  const [first, ...others] = columns;
  const blocks = rows.map((row) => {
    const lines = others.map(
      ({ title, paint, wraps }, index) =>
        [
          `  ${title}`,
          row[index + 1] ?? '',
          (text: Visible) => paint?.(text, row) ?? text,
          wraps === true ? 'prose' : undefined,
        ] as const,
    );
    const cell = row[0] ?? EMPTY;
    // A bare number would not say what it counts.
    const heading = first?.align === 'right' ? shown`${first.title} ${cell}` : cell;
    return shown` ${first?.paint?.(heading, row) ?? heading}\n${renderDetails(lines, style, width)}`;
  });
  return joined(blocks, shown`\n`);
}

import type { Visible } from '../text.ts';
import { drawn, joined, shown, visible } from '../text.ts';
import { renderDetails } from './details.ts';
import { columnWidths, GAP, MARGIN } from './layout.ts';
import type { Style } from './style.ts';
import { blanks, padded, wrapWords } from './width.ts';

/** Rows above this are laid out as plain columns: cli-table3's time grows with the square of the rows. */
export const MAX_TABLE_ROWS = 300;

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The column's text may be broken at blanks when the terminal is narrow. */
  readonly wraps?: boolean;
  readonly paint?: (text: Visible, row: readonly Visible[]) => Visible;
}

type CleanColumn = Column & { readonly title: Visible };
type CleanRows = readonly (readonly Visible[])[];

/**
 * Rows under a header, with hidden characters made visible: a few as a table, many as plain columns, and where
 * they do not fit into the terminal one under the other. No word is ever broken or cut.
 */
export async function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
  width: number,
): Promise<Visible> {
  const clean = rows.map((row) => row.map(visible));
  const titled = columns.map((column) => ({ ...column, title: visible(column.title) }));
  const widths = columnWidths(titled, clean, width);
  if (widths === null) return stacked(titled, clean, style, width);
  return clean.length > MAX_TABLE_ROWS
    ? plainColumns(titled, clean, style, widths)
    : table(titled, clean, style, widths);
}

async function table(
  columns: readonly CleanColumn[],
  rows: CleanRows,
  style: Style,
  widths: readonly number[],
): Promise<Visible> {
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
        const cell = row[index] ?? EMPTY;
        const lines = wraps === true ? wrapWords(cell, widths[index] ?? 0) : [cell];
        return lines.map((line) => paint?.(line, row) ?? line).join('\n');
      }),
    );
  }
  return drawn(`${made.toString().replace(/[ ]+$/gm, '')}\n`);
}

const EMPTY = shown``;

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

/** Rows as blocks, each with its first cell as the heading. */
function stacked(columns: readonly CleanColumn[], rows: CleanRows, style: Style, width: number): Visible {
  const blocks = rows.map((row) => {
    const [first, ...others] = columns;
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
    // A number alone would not say what it counts.
    const heading = first?.align === 'right' ? shown`${first.title} ${cell}` : cell;
    return shown` ${first?.paint?.(heading, row) ?? heading}\n${renderDetails(lines, style, width)}`;
  });
  return joined(blocks, shown`\n`);
}

function plainColumns(
  columns: readonly CleanColumn[],
  rows: CleanRows,
  style: Style,
  widths: readonly number[],
): Visible {
  const last = columns.length - 1;
  const gap = blanks(GAP);
  const pad = (cell: Visible, index: number): Visible => {
    const align = columns[index]?.align;
    return index === last && align === undefined ? cell : padded(cell, widths[index] ?? 0, align);
  };
  const lines = [
    style.bold(
      joined(
        columns.map(({ title }, index) => pad(title, index)),
        gap,
      ),
    ),
    ...rows.flatMap((row) => {
      const cells = columns.map(({ wraps }, index) => {
        const cell = row[index] ?? EMPTY;
        return wraps === true ? wrapWords(cell, widths[index] ?? 0) : [cell];
      });
      const height = Math.max(...cells.map(({ length }) => length));
      return Array.from({ length: height }, (_, line) =>
        joined(
          columns.map(({ paint }, index) => {
            const cell = pad(cells[index]?.[line] ?? EMPTY, index);
            return paint?.(cell, row) ?? cell;
          }),
          gap,
        ),
      );
    }),
  ];
  return joined(lines.map((line) => shown`${withoutEnd(shown`${blanks(MARGIN)}${line}`)}\n`));
}

/** A line without the blanks at its end. */
function withoutEnd(line: Visible): Visible {
  return drawn(line.replace(/ +$/, ''));
}

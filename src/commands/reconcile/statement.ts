import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { openInput } from '../../terminal/input.ts';
import { type HeadingMap, sheetRows, sheetText } from '../shared/sheet.ts';
import { type Columns, columnsOf } from './columns.ts';

/** A statement of the service: of each order the cells that are compared, in the order of the columns. */
export interface Statement {
  readonly columns: Columns;
  readonly header: readonly string[];
  readonly rows: ReadonlyMap<string, readonly (string | null)[]>;
  /** Orders of several rows; the first one counts. */
  readonly duplicates: readonly string[];
  /** Lines without an order number. */
  readonly nameless: readonly number[];
}

/** Reads a statement. Throws a usage error where it lacks a column that is wanted. */
export async function readStatement(
  { streams, signal }: Context,
  path: string,
  map: HeadingMap,
): Promise<Statement> {
  const input = openInput(path, { stdin: streams.raw.stdin, signal });
  const rows = new Map<string, readonly (string | null)[]>();
  const duplicates = new Set<string>();
  const nameless: number[] = [];
  let head: { readonly columns: Columns; readonly header: readonly string[] } | undefined;
  for await (const { line, cells } of sheetRows(sheetText(input))) {
    if (head === undefined) {
      head = { columns: columnsOf(cells, map), header: cells };
      continue;
    }
    const order = cellText(cells[head.columns.order]);
    if (order === null) nameless.push(line);
    else if (rows.has(order)) duplicates.add(order);
    else
      rows.set(
        order,
        head.columns.compared.map(({ column }) => cellText(cells[column])),
      );
  }
  if (head === undefined)
    throw new UsageError(`The statement ${input.name} is empty.`, 'It needs a line of headings.');
  return { ...head, rows, duplicates: [...duplicates], nameless };
}

/** A cell without blanks around it, and without the apostrophe that keeps a spreadsheet from reading a formula. */
function cellText(cell: string | undefined): string | null {
  const text = (cell ?? '').trim().replace(/^'(?=\s*[=+\-@|%])/, '');
  return text === '' ? null : text;
}

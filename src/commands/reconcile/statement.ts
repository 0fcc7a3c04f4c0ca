import { UsageError } from '../../errors.ts';
import { csvFileRows } from '../shared/csv-rows.ts';
import type { ColumnMap, Columns } from './columns.ts';
import { columnsOf } from './columns.ts';

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

/** Reads a statement. Throws a usage error where it has not the columns that are wanted. */
export async function readStatement(path: string, map: ColumnMap): Promise<Statement> {
  const rows = new Map<string, readonly (string | null)[]>();
  const duplicates = new Set<string>();
  const nameless: number[] = [];
  let head: { readonly columns: Columns; readonly header: readonly string[] } | undefined;
  for await (const { line, cells } of csvFileRows(path)) {
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
    throw new UsageError(`The statement ${path} is empty.`, 'It needs a header at least.');
  return { ...head, rows, duplicates: [...duplicates], nameless };
}

/** A cell without blanks around it, and without the apostrophe that keeps a spreadsheet from reading a formula. */
function cellText(cell: string | undefined): string | null {
  const text = (cell ?? '').trim().replace(/^'(?=\s*[=+\-@|%])/, '');
  return text === '' ? null : text;
}

import { UsageError } from '../../../../base/errors.ts';
import { counted } from '../../../../base/text.ts';
import { isJsonObject, tryParseJson } from '../../../../core/partner-api/json.ts';
import { linesOf } from '../../../terminal/input.ts';
import { type RowPart, readObject } from '../../shared/row.ts';
import { type HeadingMap, sheetRows } from '../../shared/sheet.ts';
import type { Spool } from '../spool.ts';
import { type Column, NEEDED, type RowFormat, readHeadings } from './columns.ts';
import type { RawRow, RowProblem } from './read-swap.ts';

/** A row as it was read: the cells of CSV, or a line of JSON. */
export type RowRecord = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly text: string }
);

/** The rows of a file that was read to its end. */
export interface RowFile {
  readonly format: RowFormat;
  readonly count: number;
  readonly rows: () => AsyncGenerator<RawRow>;
  /** Problems with the headings; no row is read then. */
  readonly problems: readonly RowProblem[];
  /** Headings of columns that are not used. */
  readonly unused: readonly string[];
}

/** Reads a whole file into a spool. JSON lines start with a brace, which no column name does. Throws a usage error. */
export async function readRows(
  text: AsyncIterable<string>,
  map: HeadingMap,
  spool: Spool<RowRecord>,
): Promise<RowFile> {
  const pieces = text[Symbol.asyncIterator]();
  let start = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    start += next.value;
    if (start.trimStart() !== '') break;
  }
  const whole = (async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
  const first = start.trimStart().charAt(0);
  if (first === '[')
    throw new UsageError(
      'The file is a JSON array.',
      "Write one object per line, for example with `jq -c '.[]'`.",
    );
  if (first !== '{') return readCsv(whole, map, spool);
  if (map.size > 0) throw new UsageError('--map is only for CSV, and this file has JSON lines.');
  return readJsonLines(whole, spool);
}

async function readCsv(
  text: AsyncIterable<string>,
  map: HeadingMap,
  spool: Spool<RowRecord>,
): Promise<RowFile> {
  let columns: readonly Column[] | null = null;
  let unused: readonly string[] = [];
  let count = 0;
  for await (const record of sheetRows(text)) {
    if (columns !== null) {
      count += 1;
      await spool.add(record);
      continue;
    }
    const headings = readHeadings(record.cells, map);
    ({ columns, unused } = headings);
    if (headings.problems.length > 0) {
      const problems = headings.problems.map((problem) => ({ row: null, line: record.line, ...problem }));
      return { format: 'csv', count: 0, rows: async function* () {}, problems, unused };
    }
  }
  if (columns === null)
    throw new UsageError(
      'The file is empty.',
      'The first line of a CSV file must name the columns: from,to,amount,address',
    );
  const found = columns;
  return { format: 'csv', count, rows: () => rowsOf(spool, found), problems: [], unused };
}

async function readJsonLines(text: AsyncIterable<string>, spool: Spool<RowRecord>): Promise<RowFile> {
  let count = 0;
  for await (const record of linesOf(text)) {
    if (record.text.trim() === '') continue;
    count += 1;
    await spool.add(record);
  }
  return { format: 'jsonl', count, rows: () => rowsOf(spool, []), problems: [], unused: [] };
}

async function* rowsOf(spool: Spool<RowRecord>, columns: readonly Column[]): AsyncGenerator<RawRow> {
  let row = 0;
  for await (const record of spool.items()) {
    row += 1;
    yield 'cells' in record
      ? csvRow(columns, row, record.line, record.cells)
      : jsonRow(row, record.line, record.text);
  }
}

function csvRow(columns: readonly Column[], row: number, line: number, cells: readonly string[]): RawRow {
  const parts = new Map<RowPart, string>();
  const labels = new Map<string, string>();
  let problem = fitsHeadings(columns, cells)
    ? null
    : `The row has ${counted(cells.length, 'cell')}, but there are ${columns.length} headings.`;
  for (const [index, column] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (text === '' || column === 'unused') continue;
    if (column === 'nameless') problem ??= `Column ${index + 1} has a cell but no heading.`;
    else if ('part' in column) parts.set(column.part, text);
    else labels.set(column.label, text);
  }
  const problems = problem === null ? [] : [{ row, line, column: null, error: new UsageError(problem) }];
  return { row, line, parts, labels, problems };
}

/** Whether cells match the headings: spreadsheets may add or leave out empty cells at the end of a row. */
function fitsHeadings(columns: readonly Column[], cells: readonly string[]): boolean {
  const left = columns.slice(cells.length);
  const isIncomplete = left.some(
    (column) => typeof column === 'object' && 'part' in column && NEEDED.some((part) => part === column.part),
  );
  return !isIncomplete && cells.slice(columns.length).every((cell) => cell.trim() === '');
}

function jsonRow(row: number, line: number, text: string): RawRow {
  const value = tryParseJson(text);
  if (value !== undefined && isJsonObject(value)) {
    const { problems, ...read } = readObject(value);
    return { row, line, ...read, problems: problems.map((problem) => ({ row, line, ...problem })) };
  }
  const words =
    value === undefined
      ? 'The line is not valid JSON, or has a duplicate key.'
      : 'The line is not a JSON object.';
  const error = new UsageError(words, 'Write one object per line.');
  return { row, line, parts: new Map(), labels: new Map(), problems: [{ row, line, column: null, error }] };
}

import { UsageError } from '../../../errors.ts';
import type { JsonValue } from '../../../partner-api/json.ts';
import { isJsonNumber, isJsonObject, tryParseJson } from '../../../partner-api/json.ts';
import { echoed } from '../../../text.ts';
import { csvRecords } from '../../shared/csv-rows.ts';
import type { Column, Part, RowFormat } from './columns.ts';
import { columnName, columnsOf, partNamed, unknownName } from './columns.ts';
import { linesOf } from './lines.ts';
import type { RawRow, RowProblem } from './raw-row.ts';

/** The rows of a text, or the problems of its header, which is why there are no rows then. */
export interface Rows {
  readonly format: RowFormat;
  /** Throws a usage error where the text cannot be read any further. */
  readonly rows: AsyncIterable<RawRow>;
}

/** The header of a CSV file is not one; every problem of it. */
export class HeaderError extends UsageError {
  readonly problems: readonly RowProblem[];

  constructor(problems: readonly RowProblem[]) {
    super('The header of the file is refused; nothing was sent.');
    this.problems = problems;
  }
}

/** Tells CSV from JSON lines by the first character: no column begins with a brace. Throws {@link HeaderError}. */
export async function readRows(chunks: AsyncIterable<string>): Promise<Rows> {
  const pieces = chunks[Symbol.asyncIterator]();
  let start = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    start += next.value;
    if (start.trimStart() !== '') break;
  }
  const text = (async function* () {
    yield start;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  })();
  const first = start.trimStart().charAt(0);
  if (first === '[')
    throw new UsageError('The file holds a JSON array.', "Write one object per line, as `jq -c '.[]'` does.");
  return first === '{' ? { format: 'jsonl', rows: jsonRows(text) } : { format: 'csv', rows: csvRows(text) };
}

async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<RawRow> {
  let columns: readonly Column[] | null = null;
  let row = 0;
  for await (const { line, cells } of csvRecords(chunks)) {
    if (columns !== null) {
      yield csvRow(columns, ++row, line, cells);
      continue;
    }
    const header = columnsOf(cells);
    if ('problems' in header)
      throw new HeaderError(header.problems.map((problem) => ({ row: null, line, ...problem })));
    columns = header.columns;
  }
  if (columns === null)
    throw new UsageError('The file is empty.', 'Its first line names the columns: from,to,amount,address');
}

function csvRow(columns: readonly Column[], row: number, line: number, cells: readonly string[]): RawRow {
  const parts = new Map<Part, string>();
  const labels = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (text === '') continue;
    if ('part' in column) parts.set(column.part, text);
    else labels.set(column.label, text);
  }
  const counted = (count: number) => `${count} cell${count === 1 ? '' : 's'}`;
  const error =
    cells.length === columns.length
      ? null
      : new UsageError(`The row has ${counted(cells.length)}, and the header ${columns.length}.`);
  return { row, line, parts, labels, problems: error === null ? [] : [{ row, line, column: null, error }] };
}

async function* jsonRows(chunks: AsyncIterable<string>): AsyncGenerator<RawRow> {
  let row = 0;
  for await (const { line, text } of linesOf(chunks))
    if (text.trim() !== '') yield jsonRow(++row, line, text);
}

function jsonRow(row: number, line: number, text: string): RawRow {
  const parts = new Map<Part, string>();
  const labels = new Map<string, string>();
  const problems: RowProblem[] = [];
  const refuse = (column: string | null, error: UsageError) => problems.push({ row, line, column, error });
  const value = tryParseJson(text);
  if (value === undefined || !isJsonObject(value)) {
    const words =
      value === undefined
        ? 'The line is no valid JSON, or has a key twice.'
        : 'The line is not a JSON object.';
    refuse(null, new UsageError(words, 'Write one object per line.'));
    return { row, line, parts, labels, problems };
  }
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue;
    const part = partNamed(name, 'jsonl');
    if (name === 'labels') readLabels(item, labels, refuse);
    else if (part === null) refuse(echoed(name), unknownName(name, 'jsonl'));
    else {
      const cell = textOf(item, part === 'receive');
      if (cell === null)
        refuse(
          columnName(part, 'jsonl'),
          new UsageError(`${name} has to be ${part === 'receive' ? 'true or false' : 'a text'}.`),
        );
      else if (cell.trim() !== '') parts.set(part, cell.trim());
    }
  }
  return { row, line, parts, labels, problems };
}

/** A text, or a number with the digits that were written; null for anything else. */
function textOf(item: JsonValue, mayBeBoolean: boolean): string | null {
  if (typeof item === 'string') return item;
  if (isJsonNumber(item)) return item.value;
  return mayBeBoolean && typeof item === 'boolean' ? String(item) : null;
}

function readLabels(
  item: JsonValue,
  labels: Map<string, string>,
  refuse: (column: string, error: UsageError) => void,
): void {
  if (!isJsonObject(item)) {
    refuse('labels', new UsageError('labels has to be an object of texts.'));
    return;
  }
  for (const [key, value] of Object.entries(item)) {
    const text = textOf(value, false);
    if (text === null) refuse('labels', new UsageError('A label has to be a text.'));
    else if (text.trim() !== '') labels.set(key, text.trim());
  }
}

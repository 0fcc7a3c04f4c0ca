import { pipeline, Readable } from 'node:stream';
import { CsvError, type CsvErrorCode, parse } from 'csv-parse';
import { UsageError } from '../../../base/errors.ts';
import { nearestWords } from '../../../base/suggest.ts';
import { echoed, someOf } from '../../../base/text.ts';
import type { Input } from '../../terminal/input.ts';

/** A row of a sheet, or its headings, and the line at which it ends. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Maximum length of a row, in characters: an address, a memo and twenty labels need far fewer. */
const MAX_ROW_CHARACTERS = 65_536;

const SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;
type Separator = keyof typeof SEPARATORS;

/** First bytes of other files that spreadsheets write. */
const SIGNATURES = {
  UTF16: [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])],
  // Zip (.xlsx, .ods, .numbers) and the older .xls.
  SHEETS: [Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])],
};

const AS_UTF8 =
  'Export it as CSV in UTF-8: “CSV UTF-8” in Excel, the character set UTF-8 in LibreOffice, Download > CSV in Google Sheets.';

/** The text of a file that a spreadsheet may have written. Throws a usage error if it is not UTF-8. */
export async function* sheetText({ name, bytes }: Pick<Input, 'name' | 'bytes'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new UsageError(`${name} is not text in UTF-8.`, AS_UTF8);
    }
  };
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseOtherFiles(name, chunk);
    isFirst = false;
    yield decoded(chunk);
  }
  yield decoded();
}

function refuseOtherFiles(name: string, start: Buffer): void {
  const beginsWith = (each: Buffer) => start.subarray(0, each.length).equals(each);
  if (SIGNATURES.SHEETS.some(beginsWith)) throw new UsageError(`${name} is a spreadsheet, not CSV.`, AS_UTF8);
  if (SIGNATURES.UTF16.some(beginsWith) || start.subarray(0, 4).includes(0))
    throw new UsageError(`${name} is text in UTF-16, not in UTF-8.`, AS_UTF8);
}

/**
 * Rows of CSV by RFC 4180 as spreadsheets write it: the first line says whether cells are separated by commas, semicolons
 * or tabs, line ends may be mixed, and empty rows are left out. With `comments`, lines that begin with `#` are too.
 * Throws a usage error for text that is not CSV.
 */
export async function* sheetRows(
  text: AsyncIterable<string>,
  { comments = false } = {},
): AsyncGenerator<SheetRow> {
  const isRow = (line: string) => line.trim() !== '' && !(comments && line.startsWith('#'));
  const { separator, whole } = await withSeparator(text, isRow);
  const parser = parse({
    bom: true,
    delimiter: separator,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_CHARACTERS,
    ...(comments ? { comment: '#', comment_no_infix: true } : {}),
  });
  // The loop throws whatever breaks the pipeline.
  pipeline(Readable.from(whole), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>)
      if (record.some((cell) => cell.trim() !== '')) yield { line: info.lines, cells: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: number };
    throw new UsageError(
      `The CSV cannot be read${lines === undefined ? '' : ` at line ${lines}`}: ${WORDS[error.code] ?? error.code}.`,
      `Enclose cells that contain a ${SEPARATORS[separator]}, a quote or a line break in double quotes, and double each quote inside.`,
    );
  }
}

/** The most frequent separator of the first row, and the whole text. */
async function withSeparator(text: AsyncIterable<string>, isRow: (line: string) => boolean) {
  const pieces = text[Symbol.asyncIterator]();
  let head = '';
  let isDone = false;
  const lines = () => head.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/);
  while (!isDone && !lines().slice(0, -1).some(isRow) && head.length <= MAX_ROW_CHARACTERS) {
    const next = await pieces.next();
    if (next.done === true) isDone = true;
    else head += next.value;
  }
  const first = lines().find(isRow) ?? '';
  const count = (separator: string) => first.split(separator).length;
  const separators = Object.keys(SEPARATORS) as Separator[];
  const separator = separators.reduce((best, each) => (count(each) > count(best) ? each : best));
  const whole = async function* () {
    yield head;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => pieces };
  };
  return { separator, whole: whole() };
}

const WORDS: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'an opened quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is not followed by the next cell',
  INVALID_OPENING_QUOTE: 'a cell that does not start with a quote contains one',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${MAX_ROW_CHARACTERS} characters`,
};

/** Names of fields, each with the heading of its column. */
export type HeadingMap = ReadonlyMap<string, string>;

/**
 * Reads `--map` as collected, `field=Column,field=Column` each.
 *
 * @param fieldOf the name of a field as it was typed, in its own spelling, or null for none
 * @param names all fields, for suggestions
 */
export function mapArgument(
  texts: readonly string[],
  fieldOf: (name: string) => string | null,
  names: readonly string[],
): HeadingMap {
  const map = new Map<string, string>();
  for (const part of texts.flatMap((text) => text.split(','))) {
    const equals = part.indexOf('=');
    const [name, heading] = [part.slice(0, Math.max(0, equals)).trim(), part.slice(equals + 1).trim()];
    if (equals < 0 || heading === '')
      throw new UsageError(
        `Invalid --map part ${quoted(part)}.`,
        `Use field=Column, such as --map ${names[0]}=Column.`,
      );
    const field = fieldOf(name);
    if (field === null) throw unknownField(name, names);
    if (map.has(field)) throw new UsageError(`Duplicate field ${field} in --map.`);
    map.set(field, heading);
  }
  return map;
}

function unknownField(name: string, names: readonly string[]): UsageError {
  const near = nearestWords(names, name.slice(0, 40));
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The fields are ${names.join(', ')}.`;
  return new UsageError(`Unknown field ${quoted(name)} in --map.`, hint);
}

/** A heading as it is compared: only letters and digits, in lower case. */
export function plainHeading(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** The column with a heading: the same one, or the only one by {@link plainHeading}. Throws a usage error. */
export function columnNamed(headings: readonly string[], wanted: string): number {
  const names = headings.map((text) => text.trim());
  const exact = names.indexOf(wanted);
  if (exact >= 0 && names.includes(wanted, exact + 1))
    throw new UsageError(`Several columns are named ${quoted(wanted)}.`, 'Give each its own heading.');
  if (exact >= 0) return exact;
  const plain = plainHeading(wanted);
  const [only, another] = names.flatMap((name, index) => (plainHeading(name) === plain ? [index] : []));
  if (only !== undefined && another === undefined) return only;
  const near = nearestWords(names, wanted.slice(0, 40)).map(quoted);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Its columns are ${listed(headings)}.`;
  throw new UsageError(`The file has no column ${quoted(wanted)}.`, hint);
}

/** Headings for a message, quoted, with commas between; of a long list the first ones, and how many more. */
export function listed(headings: readonly string[]): string {
  return someOf(headings.map(quoted));
}

/** A heading in quotes for a message; shortened, and redacted where it may be a secret. */
export function quoted(heading: string): string {
  return `"${echoed(heading)}"`;
}

import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import type { CsvErrorCode } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import { SwapctlError, UsageError } from '../../errors.ts';
import { unreadableFile } from '../../files.ts';

/** A row of a CSV text, its header too, and the line at which it ends. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Maximum length of a row, in characters: an address, a memo and twenty labels need far fewer. */
export const MAX_ROW_CHARACTERS = 65_536;

/** Separators that files named CSV are written with; the header says which. */
const DELIMITERS = [',', ';', '\t'] as const;
const SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;

/**
 * Rows of a CSV file by RFC 4180, one after the other; empty lines are left out. A byte order mark is passed over, and
 * cells may be separated by commas, semicolons or tabs. Throws a usage error for text that is no CSV.
 */
export async function* csvFileRows(path: string): AsyncGenerator<CsvRow> {
  const file = createReadStream(path, 'utf8');
  try {
    const { delimiter, all } = await withDelimiter(file);
    yield* csvRecords(all, delimiter);
  } catch (error) {
    throw error instanceof SwapctlError ? error : unreadableFile(path, error);
  } finally {
    file.destroy();
  }
}

/**
 * Rows of a CSV text that comes in parts, by RFC 4180; empty lines are left out. Throws a usage error for text that is no
 * CSV.
 */
export async function* csvRecords(
  parts: AsyncIterable<string>,
  delimiter: (typeof DELIMITERS)[number] = ',',
): AsyncGenerator<CsvRow> {
  const parser = parse({
    ...{ bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true },
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // The loop throws whatever breaks the pipeline.
  pipeline(Readable.from(parts), parser, () => undefined);
  try {
    for await (const { record, info } of parser) yield { line: info.lines, cells: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: number };
    throw new UsageError(
      `The CSV cannot be read${lines === undefined ? '' : ` at line ${lines}`}: ${WORDS[error.code] ?? error.code}.`,
      `A cell with a ${SEPARATORS[delimiter]}, a quote or a line break stands in double quotes, and a quote within it is doubled.`,
    );
  }
}

/** The separator that the first line has most of, and the whole text. */
async function withDelimiter(parts: AsyncIterable<string>) {
  const iterator = parts[Symbol.asyncIterator]();
  let head = '';
  let isDone = false;
  while (!isDone && !/[\r\n]/.test(head) && head.length <= MAX_ROW_CHARACTERS) {
    const next = await iterator.next();
    if (next.done === true) isDone = true;
    else head += next.value;
  }
  const [header = ''] = head.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
  const all = async function* () {
    yield head;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { delimiter, all: all() };
}

const WORDS: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened there and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by something else than the next cell',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${MAX_ROW_CHARACTERS} characters`,
};

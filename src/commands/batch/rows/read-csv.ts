import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from '../../../errors.ts';
import { MAX_ROW_CHARACTERS } from './lines.ts';

/** A record of a CSV file, and the line at which it ends. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a CSV text by RFC 4180, its header too; empty lines are left out. Throws a usage error for any other text. */
export async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // The iteration below throws whatever breaks the pipeline.
  pipeline(Readable.from(chunks), parser, () => undefined);
  try {
    for await (const { record, info } of parser) yield { line: info.lines, cells: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: number };
    throw new UsageError(
      `The CSV cannot be read${lines === undefined ? '' : ` at line ${lines}`}: ${WORDS[error.code] ?? error.code}.`,
      'A cell with a comma, a quote or a line break stands in double quotes, and a quote within it is doubled.',
    );
  }
}

const WORDS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened there and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by something other than a comma',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${MAX_ROW_CHARACTERS} characters`,
};

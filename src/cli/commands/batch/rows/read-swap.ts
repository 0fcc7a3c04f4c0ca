import { restated, SwapctlError, UsageError } from '../../../../base/errors.ts';
import type { Decimal } from '../../../../core/swap/amount.ts';
import type { CoinOnNetwork } from '../../../../core/swap/swap.ts';
import type { RowSwap } from '../../../../core/swaps/batch/check.ts';
import type { SwapInput } from '../../../../core/swaps/check.ts';
import { refuseSecretLabels, refuseSecretMemo } from '../../../../core/swaps/destination.ts';
import type { Context } from '../../../context.ts';
import { namesSaved } from '../../shared/addresses/saved.ts';
import * as args from '../../shared/arguments.ts';
import { type RowPart, receiveCell, typeCell } from '../../shared/row.ts';
import { usualRateType } from '../../shared/stored-setting.ts';
import type { BatchOptions } from '../options.ts';
import { columnName, type RowFormat } from './columns.ts';

/** The problems of a row, and the swap as far as it can be read, so that its other parts can be checked. */
interface UnreadRow {
  readonly problems: readonly RowProblem[];
  /** Placeholders replace what could not be read; null if a check would be meaningless. */
  readonly rest: SwapInput | null;
}

/** Reads the parts of a row by the rules of the flags of `create`, and reports all problems together. */
export async function readSwap(
  context: Context,
  { tolerance, labels: common }: Pick<BatchOptions, 'tolerance' | 'labels'>,
  raw: RawRow,
  format: RowFormat,
): Promise<Omit<RowSwap, 'row'> | UnreadRow> {
  // Cells that do not match their columns would be misread.
  if (raw.problems.some(({ column }) => column === null)) return { problems: raw.problems, rest: null };
  const reader = new RowPartReader(raw, format);
  const from = await reader.needed<CoinOnNetwork>('from', args.coinArgument);
  const to = await reader.needed<CoinOnNetwork>('to', args.coinArgument);
  const amountCell = (text: string) => cellAmount(text, format);
  const amount = await reader.needed<Decimal>('amount', amountCell);
  const address = await reader.needed('address', writtenAddress);
  const lastSource = (await reader.optional('receive', receiveCell)) === true ? 'receive' : 'deposit';
  const type = (await reader.optional('type', typeCell)) ?? usualRateType(context);
  const minReceive = await reader.optional('minReceive', amountCell);
  const refundAddress = await reader.optional('refundAddress', writtenAddress);
  const memo = await reader.optional('memo', async (text) => {
    if (format === 'csv' && SHORTENED.test(text)) throw new UsageError(SHORTENED_MEMO, SHORTENED_HINT);
    await refuseSecretMemo(text, to?.network ?? to?.coin ?? null);
    return text;
  });
  const key = await reader.optional('key', args.idempotencyKeyArgument);
  const labels = await reader.labels(async (given) => {
    const own = args.labelsArgument([...given].map(([name, value]) => `${name}=${value}`));
    await refuseSecretLabels(context, own);
    return { ...common, ...own };
  });
  const { problems } = reader;
  if (from === null || to === null) return { problems, rest: null };
  const asked: SwapInput = {
    from,
    to,
    lastSource,
    type,
    memo,
    refundAddress,
    minReceive,
    tolerance,
    memoWaived: false,
    // A whole number has the decimals of every coin.
    amount: amount ?? '1',
    address: address ?? '',
  };
  return problems.length > 0 ? { problems, rest: asked } : { asked, labels: labels ?? {}, key };
}

/** An address itself. A saved one can change between two runs of a file, and its row would be another swap. */
function writtenAddress(text: string): string {
  if (!namesSaved(text)) return text;
  throw new UsageError(
    'A row needs the address itself, not the name of a saved one.',
    '`swapctl config list` shows the saved addresses.',
    'invalid_address',
  );
}

/** Reads an amount; a decimal comma comes from a spreadsheet, so the hint says how to change its export. */
function cellAmount(text: string, format: RowFormat): Decimal {
  try {
    return args.amountArgument(text);
  } catch (error) {
    if (!(error instanceof UsageError) || format !== 'csv' || !text.includes(',')) throw error;
    throw restated(error, error.message, { hint: DECIMAL_POINT });
  }
}

const DECIMAL_POINT =
  'Export the file with decimal points: set the locale of the spreadsheet to English (USA) in LibreOffice or Google Sheets; in Excel turn off Options > Advanced > Use system separators.';

/** A long number as a spreadsheet shortens it, losing the last digits. */
const SHORTENED = /^[0-9]([.,][0-9]+)?e\+[0-9]+$/i;
const SHORTENED_MEMO = 'A spreadsheet shortened the memo to a rounded number, so digits are lost.';
const SHORTENED_HINT = 'Format the column as text, enter the memo again and export the file again.';

/** Reads the parts of one row and collects their problems. */
class RowPartReader {
  readonly #raw: RawRow;
  readonly #format: RowFormat;
  readonly #problems: RowProblem[];

  constructor(raw: RawRow, format: RowFormat) {
    this.#raw = raw;
    this.#format = format;
    this.#problems = [...raw.problems];
  }

  /** The problems so far, starting with those found while reading the row. */
  get problems(): readonly RowProblem[] {
    return this.#problems;
  }

  /** An optional part; null if it is missing or was refused. */
  async optional<T>(part: RowPart, read: (text: string) => T | Promise<T>): Promise<T | null> {
    const text = this.#raw.parts.get(part);
    return text === undefined ? null : this.#noted(columnName(part, this.#format), () => read(text), part);
  }

  /** A required part; null if it is missing or was refused. */
  async needed<T>(part: RowPart, read: (text: string) => T | Promise<T>): Promise<T | null> {
    const column = columnName(part, this.#format);
    const isKnownProblem = this.#raw.problems.some((problem) => problem.column === column);
    if (!this.#raw.parts.has(part) && !isKnownProblem)
      this.#refuse(column, new UsageError(`The row has no value for ${column}.`));
    return this.optional(part, read);
  }

  /** The labels; null if one was refused. */
  async labels<T>(read: (labels: RawRow['labels']) => Promise<T>): Promise<T | null> {
    return this.#noted(this.#format === 'csv' ? 'label' : 'labels', () => read(this.#raw.labels));
  }

  async #noted<T>(column: string, read: () => T | Promise<T>, part?: RowPart): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
      this.#refuse(column, error, part);
      return null;
    }
  }

  #refuse(column: string, error: SwapctlError, part?: RowPart): void {
    const { row, line } = this.#raw;
    this.#problems.push({ row, line, column, error, ...amountText(this.#raw, part) });
  }
}

/** The amount that a problem is about; rows with other amounts share the cause. */
export function amountText({ parts }: RawRow, part: RowPart | null | undefined): Pick<RowProblem, 'text'> {
  const text = part === 'amount' || part === 'minReceive' ? parts.get(part) : undefined;
  return text === undefined ? {} : { text };
}

/** A problem with a row or with the header. */
export interface RowProblem {
  /** Number of the row, from 1 below the header; null for the header. */
  readonly row: number | null;
  readonly line: number;
  /** The column or key; null if it is about the whole row. */
  readonly column: string | null;
  /** The text in the row: the same problem in other rows differs only in this. */
  readonly text?: string;
  readonly error: SwapctlError;
}

export interface RawRow {
  readonly row: number;
  readonly line: number;
  /** Texts of the parts that are not empty, without blanks at their ends. */
  readonly parts: ReadonlyMap<RowPart, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly problems: readonly RowProblem[];
}

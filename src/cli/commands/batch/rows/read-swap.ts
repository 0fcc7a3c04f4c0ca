import { attempt, restated, SwapctlError, UsageError } from '../../../../base/errors.ts';
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
  const reader = partReader(raw, format);
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

/** Readers of the parts of one row, and its problems, starting with those found while it was read. */
function partReader(raw: RawRow, format: RowFormat) {
  const { row, line, parts } = raw;
  const problems = [...raw.problems];
  const noted = async <T>(column: string, read: () => T | Promise<T>, part?: RowPart): Promise<T | null> => {
    const value = await attempt(read);
    if (!(value instanceof SwapctlError)) return value;
    problems.push({ row, line, column, error: value, ...amountText(raw, part) });
    return null;
  };
  /** An optional part; null if it is missing or was refused. */
  const optional = async <T>(part: RowPart, read: (text: string) => T | Promise<T>): Promise<T | null> => {
    const text = parts.get(part);
    return text === undefined ? null : noted(columnName(part, format), () => read(text), part);
  };
  return {
    problems,
    optional,
    /** A required part; null if it is missing or was refused. */
    needed: <T>(part: RowPart, read: (text: string) => T | Promise<T>): Promise<T | null> => {
      const column = columnName(part, format);
      const isKnownProblem = raw.problems.some((problem) => problem.column === column);
      if (!parts.has(part) && !isKnownProblem)
        problems.push({ row, line, column, error: new UsageError(`The row has no value for ${column}.`) });
      return optional(part, read);
    },
    /** The labels; null if one was refused. */
    labels: <T>(read: (labels: RawRow['labels']) => Promise<T>) =>
      noted(format === 'csv' ? 'label' : 'labels', () => read(raw.labels)),
  };
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
  /** Texts of the parts that are not empty, without spaces at their ends. */
  readonly parts: ReadonlyMap<RowPart, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly problems: readonly RowProblem[];
}

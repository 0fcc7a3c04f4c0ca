import type { Context } from '../../../context.ts';
import { SwapctlError, UsageError } from '../../../errors.ts';
import type { Decimal } from '../../../swap/amount.ts';
import type { Labels } from '../../../swap/labels.ts';
import type { CoinOnNetwork, RateType } from '../../../swap/swap.ts';
import { amountArgument, coinArgument, idempotencyKeyArgument } from '../../shared/arguments.ts';
import type { AskedSwap } from '../../shared/create/asked.ts';
import { refuseSecretMemo } from '../../shared/destination.ts';
import { labelsArgument, refuseSecretLabels } from '../../shared/labels.ts';
import { usualRateType } from '../../shared/stored-setting.ts';
import type { BatchOptions } from '../options.ts';
import type { Part, RowFormat } from './columns.ts';
import { columnName } from './columns.ts';
import type { RawRow, RowProblem } from './raw-row.ts';

/** A swap that a row asks for, before anything of it was checked against the service. */
export interface RowSwap {
  readonly asked: AskedSwap;
  readonly labels: Labels;
  /** The row's own key; null where it has none. */
  readonly key: string | null;
}

/** What is wrong with the parts of a row, and the swap as far as it can be read, for the checks of its other parts. */
export interface UnreadRow {
  readonly problems: readonly RowProblem[];
  /** Stands in for what could not be read; null where that would say nothing. */
  readonly rest: AskedSwap | null;
}

/** Reads the parts of a row by the rules of the flags of `create`; everything that is wrong with them at once. */
export async function readSwap(
  context: Context,
  { tolerance, labels: common }: Pick<BatchOptions, 'tolerance' | 'labels'>,
  raw: RawRow,
  format: RowFormat,
): Promise<RowSwap | UnreadRow> {
  const { row, line, parts } = raw;
  // Cells beside their columns would only be misread.
  if (raw.problems.some(({ column }) => column === null)) return { problems: raw.problems, rest: null };
  const problems: RowProblem[] = [...raw.problems];
  const read = async <T>(
    part: Part | 'labels',
    work: (text: string) => T | Promise<T>,
  ): Promise<T | null> => {
    const text = part === 'labels' ? '' : parts.get(part);
    if (text === undefined) return null;
    try {
      return await work(text);
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
      const column = part === 'labels' ? labelColumn(format) : columnName(part, format);
      problems.push({ row, line, column, error });
      return null;
    }
  };
  const needed = async <T>(part: Part, work: (text: string) => T): Promise<T | null> => {
    if (!parts.has(part) && !raw.problems.some(({ column }) => column === columnName(part, format)))
      problems.push({
        row,
        line,
        column: columnName(part, format),
        error: missing(columnName(part, format)),
      });
    return read(part, work);
  };
  const from = await needed<CoinOnNetwork>('from', coinArgument);
  const to = await needed<CoinOnNetwork>('to', coinArgument);
  const amount = await needed<Decimal>('amount', amountArgument);
  const address = await needed('address', (text) => text);
  const lastSource = (await read('receive', receiveCell)) === true ? 'receive' : 'deposit';
  const type = (await read('type', typeCell)) ?? usualRateType(context);
  const minReceive = await read('minReceive', amountArgument);
  const refundAddress = await read('refundAddress', (text) => text);
  const memo = await read('memo', async (text) => {
    await refuseSecretMemo(text, to?.network ?? to?.coin ?? null);
    return text;
  });
  const key = await read('key', idempotencyKeyArgument);
  const labels = await read('labels', async () => {
    const own = labelsArgument([...raw.labels].map(([name, value]) => `${name}=${value}`));
    await refuseSecretLabels(context, own);
    return { ...common, ...own };
  });
  if (from === null || to === null) return { problems, rest: null };
  const asked: AskedSwap = {
    ...{ from, to, lastSource, type, memo, refundAddress, minReceive, tolerance, memoWaived: false },
    // A whole number has the decimals of every coin.
    amount: amount ?? '1',
    address: address ?? '',
  };
  return problems.length > 0 ? { problems, rest: asked } : { asked, labels: labels ?? {}, key };
}

function labelColumn(format: RowFormat): string {
  return format === 'csv' ? 'label' : 'labels';
}

function missing(column: string): UsageError {
  return new UsageError(`The row has no ${column}.`);
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, '1': true },
  ...{ false: false, no: false, n: false, '0': false },
};

/** Whether the amount is what is to be received. */
function receiveCell(text: string): boolean {
  const value = Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : undefined;
  if (value !== undefined) return value;
  throw new UsageError(
    'This says neither true nor false.',
    'Write true where the amount is what is to be received.',
  );
}

function typeCell(text: string): RateType {
  const word = text.toLowerCase();
  if (word === 'fixed' || word === 'float') return word;
  throw new UsageError('The type is neither fixed nor float.', 'Leave it empty for the usual one.');
}

import type { Context } from '../../../context.ts';
import { UsageError } from '../../../errors.ts';
import type { Decimal } from '../../../swap/amount.ts';
import type { Labels } from '../../../swap/labels.ts';
import type { CoinOnNetwork, RateType } from '../../../swap/swap.ts';
import { amountArgument, coinArgument, idempotencyKeyArgument } from '../../shared/arguments.ts';
import type { AskedSwap } from '../../shared/create/asked.ts';
import { refuseSecretMemo } from '../../shared/destination.ts';
import { labelsArgument, refuseSecretLabels } from '../../shared/labels.ts';
import { usualRateType } from '../../shared/stored-setting.ts';
import type { BatchOptions } from '../options.ts';
import type { RowFormat } from './columns.ts';
import { PartReader } from './part-reader.ts';
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
  // Cells beside their columns would only be misread.
  if (raw.problems.some(({ column }) => column === null)) return { problems: raw.problems, rest: null };
  const reader = new PartReader(raw, format);
  const from = await reader.needed<CoinOnNetwork>('from', coinArgument);
  const to = await reader.needed<CoinOnNetwork>('to', coinArgument);
  const amount = await reader.needed<Decimal>('amount', amountArgument);
  const address = await reader.needed('address', (text) => text);
  const lastSource = (await reader.optional('receive', receiveCell)) === true ? 'receive' : 'deposit';
  const type = (await reader.optional('type', typeCell)) ?? usualRateType(context);
  const minReceive = await reader.optional('minReceive', amountArgument);
  const refundAddress = await reader.optional('refundAddress', (text) => text);
  const memo = await reader.optional('memo', async (text) => {
    await refuseSecretMemo(text, to?.network ?? to?.coin ?? null);
    return text;
  });
  const key = await reader.optional('key', idempotencyKeyArgument);
  const labels = await reader.labels(async (given) => {
    const own = labelsArgument([...given].map(([name, value]) => `${name}=${value}`));
    await refuseSecretLabels(context, own);
    return { ...common, ...own };
  });
  const { problems } = reader;
  if (from === null || to === null) return { problems, rest: null };
  const asked: AskedSwap = {
    ...{ from, to, lastSource, type, memo, refundAddress, minReceive, tolerance, memoWaived: false },
    // A whole number has the decimals of every coin.
    amount: amount ?? '1',
    address: address ?? '',
  };
  return problems.length > 0 ? { problems, rest: asked } : { asked, labels: labels ?? {}, key };
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

import type { SwapctlError, UsageError } from '../../../base/errors.ts';
import { refusalOf } from '../../ledger/policy/evaluate.ts';
import type { Labels } from '../../swap/labels.ts';
import type { Coin } from '../../swap/swap.ts';
import { checkSwap, type FieldProblem, type SwapInput, type UnpricedSwap } from '../check.ts';
import type { ReviewedPrice } from '../create-swap.ts';
import { requireSameRequest } from '../idempotency.ts';
import { identicalTo, identicalWords, type RecentSwaps, recentSwaps } from '../identical.ts';
import { requestedWords } from '../lookup.ts';
import type { Ports, Service } from '../ports.ts';
import { checkLeast } from '../price.ts';
import { decisionOn } from '../submit.ts';
import type { CheckedRow } from './create.ts';
import { ExistingOrders, isKeyOf, type RepeatOptions, RowKeys } from './keys.ts';
import { isOfOneRow, reviewPrices } from './prices.ts';
import type { Totals } from './totals.ts';

/** A swap requested by a row, before anything is checked against the service. */
export interface RowSwap {
  readonly row: number;
  readonly asked: SwapInput;
  readonly labels: Labels;
  /** The row's own key; null if it has none. */
  readonly key: string | null;
}

/** A part of a row that a check refused; null for the row as a whole. */
export interface RowFault {
  readonly part: FieldProblem['field'] | 'memo' | 'minReceive' | 'key' | null;
  readonly error: SwapctlError;
}

/** A checked row, or all its problems. */
export type RowVerdict = { readonly row: CheckedRow } | { readonly faults: readonly RowFault[] };

export interface RowCheckTools {
  readonly service: Service;
  readonly coins: readonly Coin[];
}

/** Checks the rows of a batch one after the other, by the rules of `create`. Sends nothing that changes state. */
export function rowCheck(
  ports: Ports,
  { service, coins }: RowCheckTools,
  options: RepeatOptions & { readonly dryRun?: boolean },
) {
  const keys = new RowKeys();
  const existing = new ExistingOrders(ports, service, options);
  const priceOf = reviewPrices(service);
  let recent: Promise<RecentSwaps> | null = null;
  const verdictOf = (asked: SwapInput) => checkSwap(coins, service.environment, asked);
  /** Warnings of a row, such as that it repeats a recent swap that is not from this file. */
  const warnings = async (swap: UnpricedSwap, labels: Labels): Promise<readonly string[]> => {
    recent ??= recentSwaps(ports, null);
    const identical = identicalTo(await recent, swap, labels);
    if (identical === undefined || isKeyOf(identical.idempotencyKey, swap.request)) return swap.warnings;
    return [...swap.warnings, identicalWords(identical, labels, requestedWords(ports, service, identical))];
  };
  return {
    /** Checks and prices a row, and adds it to the totals. Throws errors that are not caused by one row. */
    row: async ({ row, asked, labels, key: own }: RowSwap, totals: Totals): Promise<RowVerdict> => {
      const verdict = await verdictOf(asked);
      const sent = verdict.ok ? verdict.swap.request : null;
      const keyed = await valueOrFaults(own === null ? null : 'key', async () => {
        const inUse = await existing.of(keys.keyOf(row, asked, sent, own), labels);
        if (inUse.entry !== null) await requireSameRequest(ports, inUse.entry, asked, true);
        return inUse;
      });
      if ('faults' in keyed) return keyed;
      const { key, entry, isRepeat } = keyed.value;
      totals.addLabels(Object.keys(labels));
      if (entry !== null) {
        totals.addExisting(entry);
        return { row: { row, key, labels, fresh: null } };
      }
      if (!verdict.ok) return { faults: verdict.problems.map(faultOf) };
      const { swap } = verdict;
      const priced = await valueOrFaults('amount', () => priceOf(swap));
      if ('faults' in priced) return priced;
      const { value: price } = priced;
      const { minReceive, request } = swap;
      const enough = await valueOrFaults('minReceive', async () =>
        checkLeast(price, { receive: request.receive, minReceive }),
      );
      if ('faults' in enough) return enough;
      const refusals = options.dryRun === true ? await refusalsOf(ports, swap, labels, price) : [];
      totals.add({ row, isRepeat }, swap, price, [...refusals, ...(await warnings(swap, labels))]);
      return { row: { row, key, labels, fresh: { asked, reviewed: price } } };
    },
    /** Problems of a row with unreadable parts: `asked` has placeholders for them. */
    faultsOf: async (asked: SwapInput): Promise<readonly RowFault[]> => {
      const verdict = await verdictOf(asked);
      return verdict.ok ? [] : verdict.problems.map(faultOf);
    },
    /** The problem of the rows together, once all have been checked; null for none. */
    unfinishedRepeat: (): UsageError | null => existing.unfinishedRepeat(),
  };
}

/** Why the policy would not allow a row now, without the other rows of the file; empty if it would. */
async function refusalsOf(
  ports: Ports,
  { request, minReceive, depositMemoNeeded }: UnpricedSwap,
  labels: Labels,
  { deposit, receive }: ReviewedPrice,
): Promise<readonly string[]> {
  const amounts = { amount: deposit, asked: request.amount, quoted: receive };
  const intent = { ...request, ...amounts, minReceive, leastReceive: null, depositMemoNeeded };
  const about = { intent, labels, hasKey: true, quote: null };
  const refusal = refusalOf(await decisionOn(ports, about, 'any'), 'any');
  return refusal === null ? [] : [refusal.message];
}

/** The value, or the error of one row; throws errors that concern the whole batch. */
async function valueOrFaults<T>(
  part: RowFault['part'],
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly faults: readonly RowFault[] }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isOfOneRow(error)) throw error;
    return { faults: [{ part, error }] };
  }
}

function faultOf({ field, error }: FieldProblem): RowFault {
  const isMemo = error.code === 'memo_required' || error.code === 'invalid_memo';
  return { part: isMemo ? 'memo' : field, error };
}

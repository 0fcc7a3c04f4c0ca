import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import type { PolledSwap, PollOptions } from '../../swaps/place-poll.ts';
import { type AttentionResult, attentionView, attentionWords, unknownWords } from '../../views/attention.ts';
import { onlyProfile, openOrders, placedEntries, placedOrders } from '../shared/order-places.ts';
import { isFew, namedFailure, noteOld, pollSwaps } from './poll.ts';

/** What was seen no longer ago than this is not asked again. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * Prints what needs attention, of the named orders or of the whole ledger. Throws `attention` if anything does. What can
 * still change is polled where that was not done lately; what there is no time for, what has ended for good, and unknown
 * outcomes are judged as the ledger has them.
 */
export async function runAttention(
  context: Context,
  named: readonly string[],
  options: Pick<PollOptions, 'maxAgeMs' | 'budget'>,
): Promise<void> {
  const troubled = named.length > 0 ? [] : await troubledEntries(context);
  const known = troubled.map((entry) => knownResult(entry, context.now()));
  const changing = troubled.filter((_, index) => isChanging(known[index]));
  const placed =
    named.length > 0
      ? await placedOrders(context, named)
      : [...(await openOrders(context)), ...(await placedEntries(context, await askable(context, changing)))];
  const polled = await pollSwaps(context, placed, {
    ...{ named: named.length > 0, isFew: isFew(named), usualMaxAgeMs: isFew(named) ? 0 : MAX_AGE_MS },
    ...options,
  });
  const seen = new Set(polled.swaps.map(({ id }) => id));
  const found = [
    ...known.filter((result) => result !== null).filter(({ id }) => !seen.has(id)),
    ...polled.swaps.map(needed).filter((result) => result !== null),
  ];
  const [failed, ...others] = polled.failures;
  if (found.length > 0 || failed === undefined)
    await context.streams.print(attentionView(found, polled.startedAt, context.now()));
  if (found.length === 0 && failed === undefined) context.streams.note('Nothing needs attention.');
  noteOld(context, polled, options.budget);
  for (const { order, error } of others) await context.streams.warn(`order ${order}: ${error.message}`);
  if (failed !== undefined) throw placed.length === 1 ? failed.error : namedFailure(failed);
  if (found.length > 0) throw personNeededError(found);
}

/** Unknown outcomes and bad ends of the profile that is meant, or of all. */
async function troubledEntries(context: Context): Promise<readonly Entry[]> {
  const only = onlyProfile(context);
  const entries = await (await context.ledger()).troubled();
  return only === null ? entries : entries.filter(({ profile }) => profile === only);
}

/** An entry that needs attention, as the ledger has it; null for one that needs none. */
function knownResult(entry: Entry, now: number): AttentionResult | null {
  const { reason, outcome, requestedAt, idempotencyKey, id, ...swap } = historyResult(
    entry,
    entry.doubts,
    now,
  );
  const attention = outcome === 'unknown' ? unknownWords(id) : attentionWords(swap, now);
  return attention === null ? null : { ...swap, id, attention };
}

/** Whether a bad end may still become another one: a late deposit is taken, a failed swap is refunded. */
function isChanging(result: AttentionResult | null | undefined): boolean {
  return result?.order !== null && (result?.status === 'overdue' || result?.status === 'error');
}

/** Entries that the profile in use has the key for, where that alone is meant. */
async function askable(context: Context, entries: readonly Entry[]): Promise<readonly Entry[]> {
  if (onlyProfile(context) === null || entries.length === 0) return entries;
  const { account } = await context.owner();
  return entries.filter((entry) => entry.account === account);
}

/** A swap that needs attention; null for one that needs none. */
function needed({ swap, id, now }: PolledSwap): AttentionResult | null {
  const attention = attentionWords(swap, now);
  return attention === null ? null : { ...swap, id, attention };
}

function personNeededError(found: readonly AttentionResult[]): SwapctlError {
  const count = found.length === 1 ? '1 swap needs attention.' : `${found.length} swaps need attention.`;
  return new SwapctlError('attention', count, {
    outcome: 'done',
    hint: 'See the action listed with each; `swapctl help statuses` explains the statuses.',
    details: { orders: found.map(({ order }) => order), ids: found.map(({ id }) => id) },
  });
}

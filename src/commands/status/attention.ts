import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import type { AttentionResult } from '../../views/attention.ts';
import { attentionView, attentionWords, unknownWords } from '../../views/attention.ts';
import { profileOwner } from '../shared/lookup.ts';
import { onlyProfile, openOrders, placedEntries, placedOrders } from '../shared/order-places.ts';
import type { ReadSwaps } from './read-all.ts';
import { namedFailure, readAll } from './read-all.ts';

/**
 * Prints what needs a person, of the named orders or of the whole ledger. Throws `attention` if anything does. What can
 * still change is asked for; what has ended for good, and unknown outcomes, are as the ledger has them.
 */
export async function runAttention(context: Context, named: readonly string[]): Promise<void> {
  const troubled = named.length > 0 ? [] : await troubledEntries(context);
  const known = troubled.map((entry) => knownResult(entry, context.now()));
  const changing = troubled.filter((_, index) => isChanging(known[index]));
  const placed =
    named.length > 0
      ? await placedOrders(context, named)
      : [...(await openOrders(context)), ...(await placedEntries(context, await askable(context, changing)))];
  const { swaps, failures, times } =
    placed.length === 0 ? NOTHING_READ : await readAll(context, placed, named.length > 0);
  const seen = new Set(swaps.map(keyOf));
  const found = [
    ...known
      .filter((result) => result !== null)
      .filter((result) => result.order === null || !seen.has(keyOf(result))),
    ...(await Promise.all(swaps.map((swap) => needed(context, swap, times)))).filter(
      (result) => result !== null,
    ),
  ];
  const [failed, ...others] = failures;
  if (found.length > 0 || failed === undefined) await context.streams.print(attentionView(found));
  if (found.length === 0 && failed === undefined) context.streams.note('Nothing needs a person.');
  for (const { order, error } of others) await context.streams.warn(`order ${order}: ${error.message}`);
  if (failed !== undefined) throw placed.length === 1 ? failed.error : namedFailure(failed);
  if (found.length > 0) throw personNeededError(found);
}

const NOTHING_READ: ReadSwaps = { swaps: [], failures: [], times: new Map() };

/** Unknown outcomes and bad ends of the profile that is meant, or of all. */
async function troubledEntries(context: Context): Promise<readonly Entry[]> {
  const only = onlyProfile(context);
  const entries = await (await context.ledger()).troubled();
  return only === null ? entries : entries.filter(({ profile }) => profile === only);
}

/** An entry that needs a person, as the ledger has it; null for one that needs nobody. */
function knownResult(entry: Entry, now: number): AttentionResult | null {
  const { reason, outcome, requestedAt, seenAt, idempotencyKey, id, ...swap } = historyResult(
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
  const { account } = await profileOwner(context);
  return entries.filter((entry) => entry.account === account);
}

/** A swap that needs a person, with its entry's id; null for one that needs nobody. */
async function needed(
  context: Context,
  swap: SwapResult,
  times: ReadSwaps['times'],
): Promise<AttentionResult | null> {
  const attention = attentionWords(swap, times.get(swap) ?? context.now());
  if (attention === null) return null;
  const entries = await (await context.ledger()).withOrder(swap.order ?? '');
  const own = entries.find(({ profile }) => profile === swap.profile);
  return { ...swap, id: own?.id ?? null, attention };
}

function keyOf({ profile, order }: Pick<SwapResult, 'profile' | 'order'>): string {
  return `${profile}\n${order}`;
}

function personNeededError(found: readonly AttentionResult[]): SwapctlError {
  const count = found.length === 1 ? 'One swap needs a person.' : `${found.length} swaps need a person.`;
  return new SwapctlError('attention', count, {
    outcome: 'done',
    hint: 'What to do stands beside each; `swapctl help statuses` says what a status means.',
    details: { orders: found.map(({ order }) => order), ids: found.map(({ id }) => id) },
  });
}

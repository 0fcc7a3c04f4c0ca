import type { Context } from '../../../context.ts';
import type { Budget } from '../../../ledger/budget/budget.ts';
import type { Entry, Owner } from '../../../ledger/entry.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';
import { pollDelay, pollStateOf } from '../../../swap/polling.ts';
import type { Service } from '../../../swaps/ports.ts';

/** A swap that is followed. */
export interface Tracked {
  readonly key: string;
  readonly order: string;
  /** Of its entry in the ledger, which says when it is due; null where it has none, or none that is open. */
  id: string | null;
  swap: SwapResult | null;
  /** When it was last seen, and when its status last changed, in milliseconds since 1970. */
  seenAt: number;
  changedAt: number;
  /** From when on to look again, in monotonic milliseconds: for what the ledger does not schedule. */
  dueAt: number;
  isInFlight: boolean;
  state: 'open' | 'done';
}

/** One profile whose swaps are followed. Times are monotonic milliseconds unless they say otherwise. */
export interface Place {
  readonly context: Context;
  readonly owner: Owner;
  readonly service: Service;
  readonly budget: Budget;
  readonly followsAll: boolean;
  readonly tracked: Map<string, Tracked>;
  /** A swap that is leased and waits for the budget, and until when it is leased. */
  held: { readonly tracked: Tracked; readonly until: number } | null;
  /** No request before: the budget, or a service that cannot be reached. */
  pausedUntil: number;
  /** The ledger is not asked for what is due before. */
  nextClaimAt: number;
  /** Every swap is polled once at the beginning, whenever it is due. */
  isFirstRound: boolean;
  /** Orders that are polled before all others in the first round. */
  urgent: string[];
  /** Failures to reach the service, one after the other. */
  failures: number;
  isClosed: boolean;
}

/** Adds a swap to those that are followed, or gives the one that is there. */
export function track(place: Place, order: string, id: string | null): Tracked {
  const known = place.tracked.get(order);
  if (known !== undefined) return known;
  const times = { seenAt: 0, changedAt: 0, dueAt: 0 };
  const tracked: Tracked = {
    ...{
      key: `${place.owner.account}\n${order}`,
      order,
      id,
      swap: null,
      ...times,
      isInFlight: false,
      state: 'open',
    },
  };
  place.tracked.set(order, tracked);
  return tracked;
}

/** Adds the swap of an entry, where it is open or followed already; null where there is none to follow. */
export function trackEntry(place: Place, entry: Entry | null): Tracked | null {
  if (entry === null || entry.order === null) return null;
  if (!isSchedulable(entry) && !place.tracked.has(entry.order)) return null;
  return track(place, entry.order, entry.id);
}

/** Takes what was seen into account: what it was before, and when to look again. */
export function noteSeen(
  tracked: Tracked,
  swap: SwapResult,
  { seenAt, monotonic, intervalMs }: { seenAt: number; monotonic: number; intervalMs: number | null },
): SwapResult | null {
  const before = tracked.swap;
  if (before?.statusCode !== swap.statusCode) tracked.changedAt = seenAt;
  tracked.swap = swap;
  tracked.seenAt = seenAt;
  tracked.dueAt = monotonic + (intervalMs ?? pollDelay(pollStateOf(swap, tracked.changedAt), seenAt));
  return before;
}

/** The open orders of a place that the ledger schedules; null for all of it. */
export function scheduledOrders(place: Place): readonly string[] | null {
  if (place.followsAll) return null;
  return [...place.tracked.values()].filter(isScheduled).map(({ order }) => order);
}

/** Whether the ledger says when a swap is due. */
export function isScheduled({ id, state }: Tracked): boolean {
  return id !== null && state === 'open';
}

/** Whether an entry is one that the ledger schedules. */
export function isSchedulable(entry: Entry): boolean {
  return entry.outcome === 'created' && entry.swap?.final !== true;
}

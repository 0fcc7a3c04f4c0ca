import { shellQuote } from '../../files.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { wireTime } from '../../swap/agreement/wire-time.ts';
import type { Need } from '../../swap/need.ts';
import { needOf } from '../../swap/need.ts';
import type { WatchedSwap } from './frame.ts';

/** A deposit window that ends sooner than this is urgent, in milliseconds. */
export const URGENT_WINDOW_MS = 5 * 60_000;

/** The action that a swap asks of a person, as a sentence; null where it goes on by itself, or is over. */
export function personNeeded(swap: SwapResult): string | null {
  const need = needOf(swap);
  return need === null ? null : ACTIONS[need](swap);
}

const ACTIONS: Readonly<Record<Need, (swap: SwapResult) => string>> = {
  doubt: ({ status, doubts }) => {
    const advice = status === 'new' ? 'do not pay, ask the service' : 'ask the service';
    return `In doubt (${doubts.join(', ')}): ${advice}.`;
  },
  pause: () => 'On hold: ask the service about this order.',
  frozen: () => 'Frozen: ask the service about this order.',
  'refund-without-address': ({ order }) =>
    `No refund address is recorded here: swapctl refund ${shellQuote(order ?? '')}`,
  'late-deposit': () => 'The deposit came too late: ask the service.',
  'failed-without-address': ({ order }) =>
    `Failed, and no refund address: swapctl refund ${shellQuote(order ?? '')}`,
  failed: () => 'Failed: ask the service for the refund.',
};

/** Time by the clock of a swap's service, at which its window ends. */
export function serviceTime({ clockAhead = 0 }: WatchedSwap, now: number): number {
  return now + clockAhead;
}

/** Milliseconds until the window of a swap that waits for its deposit ends, none left as 0; null where no end is known. */
export function windowLeft({ status, expiresAt }: SwapResult, now: number): number | null {
  const end = status === 'new' ? wireTime(expiresAt) : null;
  return end === null ? null : Math.max(0, end - now);
}

/** Statuses that go on by themselves, what moves soonest first. */
const MOVING = ['exchanging', 'confirmation', 'unknown', 'new'];

/**
 * Rank of a swap on the board, lowest first: what needs a person, windows that end within five minutes,
 * what moves, what is over.
 */
function rank(watched: WatchedSwap, now: number): number {
  const { swap, gone } = watched;
  if (gone !== null) return 20;
  if (swap === null) return 10;
  if (personNeeded(swap) !== null) return 0;
  if (swap.final) return 20;
  const left = windowLeft(swap, serviceTime(watched, now));
  if (left !== null && left > 0 && left <= URGENT_WINDOW_MS) return 1;
  return 2 + Math.max(0, MOVING.indexOf(swap.status));
}

/** Those of some swaps that need a person, or whose window ends soon, the most urgent first. */
export function mostUrgent(swaps: readonly SwapResult[], now: number): readonly SwapResult[] {
  const watched = swaps.map((swap) => ({
    ...{ order: swap.order ?? '', swap, seenAt: null, gone: null, confirmationsNeeded: null },
  }));
  const urgent = watched.filter((each) => rank(each, now) <= 1);
  return mostUrgentFirst(urgent, now).flatMap(({ swap }) => (swap === null ? [] : [swap]));
}

/** Swaps with the most urgent first; of two that are as urgent, the one whose window ends sooner, then as they came. */
export function mostUrgentFirst(swaps: readonly WatchedSwap[], now: number): readonly WatchedSwap[] {
  const keyed = swaps.map((watched) => ({
    watched,
    rank: rank(watched, now),
    left:
      (watched.swap === null ? null : windowLeft(watched.swap, serviceTime(watched, now))) ??
      Number.MAX_SAFE_INTEGER,
  }));
  return keyed.sort((a, b) => a.rank - b.rank || a.left - b.left).map(({ watched }) => watched);
}

import type { Context } from '../../context.ts';
import type { SwapctlError } from '../../errors.ts';
import { restated } from '../../errors.ts';
import type { BudgetLimit } from '../../ledger/budget/limit.ts';
import { withProgress } from '../../terminal/progress.ts';
import { readTime, spanWords } from '../../time.ts';
import type { PlacedOrder } from '../shared/order-places.ts';
import { usualBudget } from '../shared/stored-setting.ts';
import type { FailedOrder } from '../shared/watch.ts';
import type { PolledSwap, PollOptions } from './place-poll.ts';
import { PlacePoll } from './place-poll.ts';

/** What was read, and what could not be, each in the order in which it was wanted. */
export interface Polled {
  readonly swaps: readonly PolledSwap[];
  readonly failures: readonly FailedOrder[];
  /** When this began: what was seen earlier comes from the ledger. Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Time for all polls of a run unless `--timeout` says otherwise. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Polls orders, those first that were last seen longest ago, within the budget of each profile's key and the time of
 * the run. What the ledger saw lately is not asked again; what there is no time for is shown as it was last seen.
 */
export async function pollSwaps(
  context: Context,
  orders: readonly PlacedOrder[],
  options: PollOptions,
): Promise<Polled> {
  const startedAt = context.now();
  const deadline =
    context.flags.timeout === undefined ? context.monotonic() + DEFAULT_TIMEOUT_MS : context.deadline();
  const places = new Map<Context, PlacedOrder[]>();
  for (const placed of orders) {
    const there = places.get(placed.place) ?? [];
    there.push(placed);
    places.set(placed.place, there);
  }
  return withProgress(context.streams, 'Polling', async (change) => {
    let polled = 0;
    const onPoll = () => change?.(`Polled ${++polled} of ${orders.length}`);
    const onWait = () => change?.(`Polled ${polled} of ${orders.length}, waiting for the request budget`);
    const polls = [...places].map(
      ([place, wanted]) => new PlacePoll(place, wanted, { ...options, startedAt, deadline, onPoll, onWait }),
    );
    const ends = new Map((await Promise.all(polls.map((poll) => poll.run()))).flatMap((found) => [...found]));
    const inOrder = orders.flatMap((placed) => {
      const end = ends.get(placed);
      return end === undefined ? [] : [{ ...end, order: placed.order }];
    });
    return {
      swaps: inOrder.flatMap(({ shown }) => (shown === null ? [] : [shown])),
      failures: inOrder.flatMap(({ order, error }) => (error === null ? [] : [{ order, error }])),
      startedAt,
    };
  });
}

/** Whether orders are so few that a person who names them does not wait: the part of the budget for persons has room. */
export function isFew(orders: readonly string[]): boolean {
  return orders.length > 0 && orders.length <= 5;
}

/** Says how many swaps are shown as they were last seen, why, and what helps. */
export function noteOld(
  { streams, flags, settings }: Context,
  { swaps, failures, startedAt }: Polled,
  budget: BudgetLimit | null,
): void {
  // The built-in service always leaves time.
  const { requests, durationMs } = budget ?? usualBudget({ settings }, { kind: 'remote' });
  const old = swaps.filter(({ isOld }) => isOld);
  if (old.length === 0) return;
  const oldest = Math.min(...old.map(({ swap }) => readTime(swap.seenAt) ?? startedAt));
  const all = swaps.length === 1 ? 'The swap is' : `${old.length} of ${swaps.length} swaps are`;
  const what = `${all} shown as last seen, up to ${spanWords(startedAt - oldest)} ago`;
  const advice = flags.timeout === undefined ? 'Allow more time with --timeout' : 'Allow a longer --timeout';
  // A failure says why by itself.
  if (failures.length > 0) streams.note(`${what}.`);
  else
    streams.note(
      `${what}: the request budget (${requests} per ${durationMs / 1000} s) and the service's limit left no time to poll ${old.length === 1 ? 'it' : 'them'}. ${advice}, raise the budget with --budget, or keep the ledger up to date with swapctl listen.`,
    );
}

/** The failure of one order among several. */
export function namedFailure({ order, error }: FailedOrder): SwapctlError {
  return restated(error, `Order ${order}: ${error.message}`, { details: { ...error.details, order } });
}

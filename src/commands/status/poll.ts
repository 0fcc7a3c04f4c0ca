import type { Context } from '../../context.ts';
import { restated, type SwapctlError } from '../../errors.ts';
import { type BudgetLimit, DEFAULT_BUDGET } from '../../ledger/budget/limit.ts';
import type { OrderToPoll, PollOptions } from '../../swaps/place-poll.ts';
import { type FailedOrder, type Polled, pollOrders } from '../../swaps/poll.ts';
import { withProgress } from '../../terminal/progress.ts';
import { readTime, spanWords } from '../../time.ts';
import { storedBudget } from '../shared/stored-setting.ts';

/** What was polled, and since when: what was seen earlier comes from the ledger. */
export interface PolledSince extends Polled {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Time for all polls of a run unless `--timeout` says otherwise. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Polls orders within `--timeout`, with their number as progress; see {@link pollOrders}. */
export async function pollSwaps(
  context: Context,
  orders: readonly OrderToPoll[],
  options: PollOptions,
): Promise<PolledSince> {
  const startedAt = context.now();
  const deadline =
    context.flags.timeout === undefined ? context.monotonic() + DEFAULT_TIMEOUT_MS : context.deadline();
  const budget = options.budget ?? storedBudget(context);
  return withProgress(context.streams, 'Polling', async (change) => {
    let polled = 0;
    const onPoll = () => change?.(`Polled ${++polled} of ${orders.length}`);
    const onWait = () => change?.(`Polled ${polled} of ${orders.length}, waiting for the request budget`);
    const found = await pollOrders(orders, { ...options, budget, startedAt, deadline, onPoll, onWait });
    return { ...found, startedAt };
  });
}

/** Whether orders are so few that a person who names them does not wait: the part of the budget for persons has room. */
export function isFew(orders: readonly string[]): boolean {
  return orders.length > 0 && orders.length <= 5;
}

/** Says how many swaps are shown as they were last seen, why, and what helps. */
export function noteOld(
  context: Context,
  { swaps, failures, startedAt }: PolledSince,
  budget: BudgetLimit | null,
): void {
  const { streams, flags } = context;
  // The built-in service always leaves time.
  const { requests, durationMs } = budget ?? storedBudget(context) ?? DEFAULT_BUDGET;
  const old = swaps.filter(({ isOld }) => isOld);
  if (old.length === 0) return;
  const oldest = Math.min(...old.map(({ swap }) => readTime(swap.seenAt) ?? startedAt));
  const all = swaps.length === 1 ? 'The swap is' : `${old.length} of ${swaps.length} swaps are`;
  const what = `${all} shown as last polled, up to ${spanWords(startedAt - oldest)} ago`;
  const advice = flags.timeout === undefined ? 'Allow more time with --timeout' : 'Allow a longer --timeout';
  // A failure says why by itself.
  if (failures.length > 0) streams.note(`${what}.`);
  else
    streams.note(
      `${what}: the request budget (${requests} per ${durationMs / 1000} s) and the service's limit left no time to poll ${old.length === 1 ? 'it' : 'them'}. ${advice}, raise the budget with --budget, or keep the ledger current with swapctl listen.`,
    );
}

/** The failure of one order among several. */
export function namedFailure({ order, error }: FailedOrder): SwapctlError {
  return restated(error, `Order ${order}: ${error.message}`, { details: { ...error.details, order } });
}

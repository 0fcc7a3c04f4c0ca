import type { RequestTurns } from '../client/turns.ts';
import type { Budget } from '../ledger/budget/budget.ts';
import type { Ports } from './ports.ts';

/** A poll of a swap is recorded this many milliseconds before its lease ends. */
const MARGIN_MS = 2_000;

/** Time limits of a poll, on the monotonic clock. */
export interface PollTimes {
  /** When the lease of the swap ends; infinity without one. */
  readonly until: number;
  /** When nothing is sent anymore. */
  readonly deadline: number;
  /** Whether to wait for the limit of the service for longer than a lease; another process may then poll the swap too. */
  readonly outlastsLease: boolean;
}

/** Turns of a poll in a budget; the first one was taken with the lease. */
export function pollTurns(
  { monotonic }: Pick<Ports, 'monotonic'>,
  budget: Budget,
  { until, deadline, outlastsLease }: PollTimes,
  signal?: AbortSignal,
): RequestTurns {
  const begun = monotonic();
  let end = until - MARGIN_MS;
  let [isFirst, isWaiting] = [true, false];
  const timeLeft = () => Math.min(deadline, isWaiting && outlastsLease ? deadline : end) - monotonic();
  const tryTake = async () => {
    if (isFirst) {
      isFirst = false;
      return 0;
    }
    const wait = await budget.tryTake();
    if (isWaiting && wait === 0 && outlastsLease) end = monotonic() + (until - begun) - MARGIN_MS;
    isWaiting = wait > 0;
    return wait;
  };
  return { timeLeft, limit: { tryTake, observe: (answer) => budget.observe(answer) }, signal };
}

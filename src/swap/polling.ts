import { isDepositSeen } from './need.ts';
import type { Swap } from './swap.ts';

/** Facts about a swap that decide when it is polled next; times in milliseconds since 1970. */
export interface PollState {
  readonly status: string;
  /** The service has seen the deposit. */
  readonly depositSeen: boolean;
  /** When its status was last seen to change. */
  readonly changedAt: number;
}

/** The facts about a swap that {@link pollDelay} needs. */
export function pollStateOf(swap: Pick<Swap, 'status' | 'deposit'>, changedAt: number): PollState {
  return { status: swap.status, depositSeen: isDepositSeen(swap), changedAt };
}

/**
 * Milliseconds from one poll of a swap to the next: `interval` once its deposit was seen, a minute while staff of the
 * service have to act, and from 30 s to 2 min while it waits for its deposit, the longer it has waited.
 */
export function pollDelay(state: PollState, now: number, interval = DEFAULT_INTERVAL_MS): number {
  if (state.status === 'pause' || state.status === 'frozen') return HELD_MS;
  if (state.depositSeen || state.status !== 'new') return interval;
  const share = (now - state.changedAt) / WAITED_PER_DELAY;
  return Math.round(Math.min(MAX_POLL_DELAY_MS, Math.max(FIRST_WAITING_MS, share)));
}

/** Default delay between two polls of a swap that is about to change. */
export const DEFAULT_INTERVAL_MS = 10_000;

/** Longest delay between two polls. */
export const MAX_POLL_DELAY_MS = 120_000;

const HELD_MS = 60_000;
const FIRST_WAITING_MS = 30_000;
/** A swap that has waited for ten minutes is polled every minute. */
const WAITED_PER_DELAY = 10;

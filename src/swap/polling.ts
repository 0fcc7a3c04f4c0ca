import type { Swap } from './swap.ts';

/** Facts about a swap that decide when to look at it again; times in milliseconds since 1970. */
export interface PollState {
  readonly status: string;
  /** A transaction that pays the deposit was seen. */
  readonly depositSeen: boolean;
  /** When its status was last seen to change. */
  readonly changedAt: number;
}

/** The facts about a swap that {@link pollDelay} needs. */
export function pollStateOf(swap: Pick<Swap, 'status' | 'deposit'>, changedAt: number): PollState {
  const { txId, receivedAt, confirmations } = swap.deposit;
  const depositSeen = txId !== null || receivedAt !== null || confirmations !== null;
  return { status: swap.status, depositSeen, changedAt };
}

/**
 * Milliseconds from one look at a swap to the next: `interval` once its deposit was seen, a minute while a person at the
 * service has to act, and from 30 s to 2 min while it waits for its deposit, the longer it has waited.
 */
export function pollDelay(state: PollState, now: number, interval = DEFAULT_INTERVAL_MS): number {
  if (state.status === 'pause' || state.status === 'frozen') return HELD_MS;
  if (state.depositSeen || state.status !== 'new') return interval;
  const share = (now - state.changedAt) / WAITED_PER_DELAY;
  return Math.round(Math.min(MAX_POLL_DELAY_MS, Math.max(FIRST_WAITING_MS, share)));
}

/** Pause between two looks at a swap that moves soon, unless told otherwise. */
export const DEFAULT_INTERVAL_MS = 10_000;

/** Longest pause between two looks. */
export const MAX_POLL_DELAY_MS = 120_000;

const HELD_MS = 60_000;
const FIRST_WAITING_MS = 30_000;
/** A swap that has waited for ten minutes is asked for each minute. */
const WAITED_PER_DELAY = 10;

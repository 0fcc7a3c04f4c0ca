import { isDepositSeen } from './attention.ts';
import type { Swap } from './swap.ts';

/** Facts about a swap that decide when it is polled next; times in milliseconds since 1970. */
export interface PollState {
  readonly status: string;
  readonly depositSeen: boolean;
  readonly changedAt: number;
}

/** The facts about a swap that {@link pollDelay} needs. */
export function pollStateOf(swap: Pick<Swap, 'status' | 'deposit'>, changedAt: number): PollState {
  return { status: swap.status, depositSeen: isDepositSeen(swap), changedAt };
}

/** How long swaps of one pair stayed in one status; durations in milliseconds. */
export interface TimeInStatus {
  /** Swaps that have left the status. */
  readonly count: number;
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
  /** The status that most of them went to. */
  readonly next: string;
}

/** What is learned from swaps that have left a status: how long each stayed, and where it went. Null for none. */
export function timeInStatus(left: readonly { readonly milliseconds: number; readonly next: string }[]) {
  const sorted = left.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const counts = new Map<string, number>();
  for (const { next } of left) counts.set(next, (counts.get(next) ?? 0) + 1);
  const [usual] = [...counts].sort(([, a], [, b]) => b - a);
  if (usual === undefined) return null;
  return { count: left.length, p10: at(0.1), median: at(0.5), p90: at(0.9), next: usual[0] };
}

/** What usually happens next to a swap of a pair. */
export interface UsualNextStatus {
  readonly status: string;
  /** Seconds that the pair's earlier swaps stayed in the present status. */
  readonly seconds: { readonly median: number; readonly p90: number };
  /** Seconds that this one has been in it. */
  readonly secondsSoFar: number;
  /** Earlier swaps that this was learned from. */
  readonly swaps: number;
}

/** Number of swaps of a pair that must have left a status before its times are meaningful. */
const MIN_SWAPS = 5;

/** What usually happens next to a swap after `age` milliseconds in its status; null if too little is known. */
export function usualNextStatus(times: TimeInStatus | null, age: number): UsualNextStatus | null {
  if (times === null || times.count < MIN_SWAPS) return null;
  const seconds = (milliseconds: number) => Math.round(milliseconds / 1000);
  return {
    status: times.next,
    seconds: { median: seconds(times.median), p90: seconds(times.p90) },
    secondsSoFar: seconds(age),
    swaps: times.count,
  };
}

/** Fewer swaps than this say too little about the next one. */
const MIN_SAMPLES = 20;

/**
 * Milliseconds from one poll of a swap to the next: a minute while staff of the service have to act, else by the times
 * that the pair's earlier swaps took, as far as they are known. Without them it is `interval` once the deposit was seen,
 * and from 30 s to 2 min while the swap waits for it, the longer it has waited.
 */
export function pollDelay(
  state: PollState,
  now: number,
  times: TimeInStatus | null = null,
  interval = DEFAULT_INTERVAL_MS,
): number {
  if (state.status === 'pause' || state.status === 'frozen') return HELD_MS;
  if (times !== null && times.count >= MIN_SAMPLES)
    return Math.round(
      Math.min(MAX_POLL_DELAY_MS, Math.max(interval, learnedDelay(times, now - state.changedAt))),
    );
  if (state.depositSeen || state.status !== 'new') return interval;
  const proportionalDelay = (now - state.changedAt) / WAITED_PER_DELAY;
  return Math.round(Math.min(MAX_POLL_DELAY_MS, Math.max(FIRST_WAITING_MS, proportionalDelay)));
}

/** The first poll when a tenth of the swaps have left the status, then often enough to be late by a fraction of their spread. */
function learnedDelay({ p10, p90 }: TimeInStatus, age: number): number {
  if (age < p10) return p10 - age;
  return Math.max((p90 - p10) / POLLS_IN_SPREAD, (age - p90) / 2);
}

/** With the sandbox's own times, this gives a median delay of 7 s for 15 % of the requests: docs/evidence/scale.md. */
const POLLS_IN_SPREAD = 20;

/** Default delay between two polls of a swap that is about to change. */
export const DEFAULT_INTERVAL_MS = 10_000;

export const MAX_POLL_DELAY_MS = 120_000;

const HELD_MS = 60_000;
const FIRST_WAITING_MS = 30_000;
/** A swap that has waited for ten minutes is polled every minute. */
const WAITED_PER_DELAY = 10;

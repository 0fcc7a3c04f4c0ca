import type { BucketState } from '../../../../src/core/ledger/budget/bucket.ts';
import { newBucket, observe, take } from '../../../../src/core/ledger/budget/bucket.ts';
import type { BudgetLimit } from '../../../../src/core/ledger/budget/limit.ts';
import { pollDelay } from '../../../../src/core/swap/polling.ts';
import type { RateAnswer } from '../../../../src/core/swap/rate-limit.ts';

/** A service's limit in fixed windows, and what it says of it. */
export interface ServiceLimit extends BudgetLimit {
  readonly says: 'all' | 'retry-after' | 'nothing';
}

/** How long transitions took to be seen, in seconds, of swaps in one status. */
export interface Delays {
  readonly count: number;
  readonly median: number;
  readonly longest: number;
}

/** What a simulation found. */
export interface Simulated {
  readonly requests: number;
  /** When the service answered with 429, in milliseconds from the beginning. */
  readonly refusals: readonly number[];
  /** By the status that ended, unseen for so long. */
  readonly delays: Readonly<Record<string, Delays>>;
  /** Longest time from one poll of a swap to the next, in seconds. */
  readonly longestUnseen: number;
  /** Swaps that no one ever looked at. */
  readonly unseen: number;
}

const MINUTE = 60_000;
/** A life: each status with its length. Every twentieth swap is held by the service for half an hour. */
const LIFE = [
  ['new', 10 * MINUTE],
  ['confirmation', 20 * MINUTE],
  ['exchanging', 5 * MINUTE],
] as const;

interface SimulatedSwap {
  /** When each status begins, after the first; a final one ends the list. */
  changes: readonly (readonly [at: number, status: string])[];
  seen: string;
  changedAt: number;
  polledAt: number;
}

/**
 * Follows as many open swaps as are told, each replaced by a new one once it is final, for a time: with the real bucket
 * and delays, the earliest due first, and a clock of its own.
 */
export function simulate(options: {
  readonly swaps: number;
  readonly minutes: number;
  readonly budget: BudgetLimit;
  readonly service: ServiceLimit;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}): Simulated {
  const { budget, random } = options;
  const end = options.minutes * MINUTE;
  const answer = serviceOf(options.service);
  const due = new Queue<SimulatedSwap>();
  // The swaps are in all ages, as those of a shop that has been open for a while.
  for (let index = 0; index < options.swaps; index += 1) due.push(0, begun(-random() * 35 * MINUTE, random));
  const found = {
    delays: new Map<string, number[]>(),
    refusals: [] as number[],
    requests: 0,
    longestUnseen: 0,
  };
  let bucket: BucketState = newBucket(0);
  for (let now = 0; now < end; ) {
    const [at, swap] = due.first();
    if (at > now) {
      now = at;
      continue;
    }
    const taken = take(bucket, budget, now);
    bucket = taken.state;
    if (taken.waitMs > 0) {
      now += taken.waitMs;
      continue;
    }
    found.requests += 1;
    const reported = answer(now);
    bucket = observe(bucket, budget, reported, now);
    due.shift();
    if (reported.status === 429) {
      found.refusals.push(now);
      due.push(now + 10_000, swap);
      continue;
    }
    const next = poll(swap, now, random, found);
    due.push(
      now +
        pollDelay({ status: next.seen, depositSeen: next.seen !== 'new', changedAt: next.changedAt }, now),
      next,
    );
  }
  const unseen = due.values().filter(({ polledAt }) => polledAt < 0).length;
  return { ...found, unseen, longestUnseen: found.longestUnseen / 1000, delays: summary(found.delays) };
}

function begun(at: number, random: () => number): SimulatedSwap {
  const held = random() < 1 / 20;
  const spans: [string, number][] = LIFE.map(([status, span]) => [status, span * (0.5 + random())]);
  if (held) spans.splice(2, 0, ['pause', 30 * MINUTE]);
  const changes: [number, string][] = [];
  let time = at;
  for (const [index, [, span]] of spans.entries()) {
    time += span;
    changes.push([time, spans[index + 1]?.[0] ?? 'success']);
  }
  return { changes, seen: 'new', changedAt: at, polledAt: -1 };
}

function poll(
  swap: SimulatedSwap,
  now: number,
  random: () => number,
  found: { delays: Map<string, number[]>; longestUnseen: number },
): SimulatedSwap {
  const past = swap.changes.filter(([at]) => at <= now);
  const [at, status] = past.at(-1) ?? [0, swap.seen];
  if (swap.polledAt >= 0) {
    found.longestUnseen = Math.max(found.longestUnseen, now - swap.polledAt);
    // Of several changes since the last poll the first one waited longest.
    const first = swap.changes.find(([when]) => when > swap.polledAt && when <= now);
    if (first !== undefined) {
      const list = found.delays.get(swap.seen) ?? [];
      found.delays.set(swap.seen, list);
      list.push(now - first[0]);
    }
  }
  if (status === 'success') return { ...begun(now, random), polledAt: now };
  return { ...swap, seen: status, changedAt: past.length > 0 ? at : swap.changedAt, polledAt: now };
}

function summary(delays: ReadonlyMap<string, readonly number[]>): Record<string, Delays> {
  const entries = [...delays].map(([status, list]) => {
    const ordered = [...list].sort((a, b) => a - b);
    const median = (ordered[Math.floor(ordered.length / 2)] ?? 0) / 1000;
    return [status, { count: ordered.length, median, longest: (ordered.at(-1) ?? 0) / 1000 }] as const;
  });
  return Object.fromEntries(entries);
}

/** A service that counts in fixed windows, and answers with what it says of them. */
function serviceOf({ requests, durationMs, says }: ServiceLimit): (now: number) => RateAnswer {
  let [ends, count] = [0, 0];
  return (now) => {
    if (now >= ends) [ends, count] = [now + durationMs, 0];
    count += 1;
    const status = count > requests ? 429 : 200;
    // Whole seconds, as the sandbox and others say it.
    const reset = Math.ceil((ends - now) / 1000) * 1000;
    const nothing = { status, limit: null, remaining: null, resetMs: null, retryAfterMs: null };
    if (says === 'nothing') return nothing;
    if (says === 'retry-after') return { ...nothing, retryAfterMs: status === 429 ? reset : null };
    return {
      status,
      limit: requests,
      remaining: Math.max(0, requests - count),
      resetMs: reset,
      retryAfterMs: status === 429 ? reset : null,
    };
  };
}

/** A binary heap: what is due first comes first. */
class Queue<T> {
  readonly #heap: [number, T][] = [];

  first(): readonly [number, T] {
    const [first] = this.#heap;
    if (first === undefined) throw new Error('The queue is empty.');
    return first;
  }

  values(): T[] {
    return this.#heap.map(([, value]) => value);
  }

  push(at: number, value: T): void {
    const heap = this.#heap;
    heap.push([at, value]);
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapped(child, parent)) return;
      child = parent;
    }
  }

  shift(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && this.#at(right) < this.#at(left) ? right : left;
      if (!this.#swapped(child, parent)) return;
      parent = child;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Whether two had to change places, the later one to stand below. */
  #swapped(child: number, parent: number): boolean {
    const [below, above] = [this.#heap[child], this.#heap[parent]];
    if (below === undefined || above === undefined || below[0] >= above[0]) return false;
    [this.#heap[child], this.#heap[parent]] = [above, below];
    return true;
  }
}

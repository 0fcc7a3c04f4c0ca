import type { RateAnswer } from '../../swap/rate-limit.ts';
import type { BucketState, Taker, WaitsFor } from './bucket.ts';
import { newBucket, observe, take, tokensLeft } from './bucket.ts';
import type { BudgetLimit } from './limit.ts';

/** Changes the bucket of a key, wherever it is kept, and returns what the change says. All processes take turns. */
export type ChangeBucket = <T>(
  key: string,
  now: number,
  change: (state: BucketState) => { readonly state: BucketState; readonly value: T },
) => Promise<T>;

/** The requests that one key may send, shared by all processes that keep its bucket in the same place. */
export interface Budget {
  readonly limit: BudgetLimit;
  /** Takes the right to send one request and returns 0; where there is none, the milliseconds after which to ask again. */
  tryTake(): Promise<number>;
  /** Whose limit the last wait of `tryTake` was for. */
  waitsFor(): WaitsFor;
  /** Waits for the right to send one request. */
  take(): Promise<void>;
  /** Takes note of an answer's rate limit. A 429 is written at once, another answer with the next token. */
  observe(answer: RateAnswer): Promise<void>;
  /** Requests of the whole budget that are left now. */
  left(): Promise<number>;
}

/** Clock and pause. */
export interface BudgetTime {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The budget of a key, for one kind of taker. */
export function createBudget(
  key: string,
  limit: BudgetLimit,
  change: ChangeBucket,
  { now, sleep }: BudgetTime,
  taker: Taker = 'program',
): Budget {
  let heard: RateAnswer[] = [];
  let waitsFor: WaitsFor = 'budget';
  const withHeard = (state: BucketState): BucketState =>
    heard.reduce((current, answer) => observe(current, limit, answer, now()), state);
  const changed = async <T>(work: (state: BucketState) => { state: BucketState; value: T }): Promise<T> => {
    const told = heard;
    const value = await change(key, now(), (state) => work(withHeard(state)));
    heard = heard.filter((answer) => !told.includes(answer));
    return value;
  };
  const budget: Budget = {
    limit,
    tryTake: () =>
      changed((state) => {
        const taken = take(state, limit, now(), taker);
        waitsFor = taken.waitsFor;
        return { state: taken.state, value: taken.waitMs };
      }),
    waitsFor: () => waitsFor,
    take: async () => {
      for (let wait = await budget.tryTake(); wait > 0; wait = await budget.tryTake())
        await sleep(Math.min(wait, MAX_SLEEP_MS));
    },
    observe: async (answer) => {
      heard = [...heard.slice(1 - MAX_HEARD), answer];
      if (answer.status === 429) await changed((state) => ({ state, value: undefined }));
    },
    left: () => changed((state) => ({ state, value: tokensLeft(state, limit, now()) })),
  };
  return budget;
}

/** A bucket of this process alone, for as long as there is no ledger to keep it in. */
export function bucketsInMemory(): ChangeBucket {
  const buckets = new Map<string, BucketState>();
  return async (key, now, change) => {
    const { state, value } = change(buckets.get(key) ?? newBucket(now));
    buckets.set(key, state);
    return value;
  };
}

/** Another process may have given tokens back, or been told of more. */
const MAX_SLEEP_MS = 30_000;
/** Answers kept until the next token is taken. */
const MAX_HEARD = 16;

import { batch } from '../state/batch.ts';
import { openLimits } from './limits-database.ts';

const MAX_BATCH = 10_000;

/** Whether a request may pass, and how many more may before the window ends. */
interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Counts one request of a key. */
export type RateLimiter = (key: string) => Promise<RateVerdict>;

/** How many requests a key may send in how many seconds. */
export interface RateLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

/** A limiter with what it has to close. */
export interface OpenRateLimiter {
  readonly limiter: RateLimiter;
  close(): Promise<void>;
}

/**
 * Opens the limiter that all processes on a database share. Requests of one turn of the event loop are counted
 * together: the store tells how many there are with them, and so which of them is the last that may pass.
 */
export async function openRateLimiter(
  database: string,
  { count, windowSeconds }: RateLimit,
  now: () => number,
): Promise<OpenRateLimiter> {
  const { LimitStore } = await import('./limit-store.ts');
  const limits = await openLimits(database);
  const store = new LimitStore(limits, count, windowSeconds, now);
  const limiter = batch<string, RateVerdict>(async (keys) => {
    const verdicts = new Map<string, RateVerdict[]>();
    for (const [key, times] of counted(keys)) {
      const { consumed, resetMs } = await store.take(key, times);
      verdicts.set(key, shareOut(times, consumed, resetMs, count));
    }
    return keys.flatMap((key) => verdicts.get(key)?.shift() ?? []);
  }, MAX_BATCH);
  return { limiter, close: () => limits.close() };
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

function shareOut(times: number, consumed: number, resetMs: number, limit: number): RateVerdict[] {
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  return Array.from({ length: times }, (_, index) => {
    const place = consumed - times + index + 1;
    return { allowed: place <= limit, limit, remaining: Math.max(0, limit - place), resetSeconds };
  });
}

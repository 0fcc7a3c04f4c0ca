import { sql } from 'kysely';
import { StorageError } from '../../base/errors.ts';
import {
  type Database,
  type DatabaseLocation,
  InMemory,
  type PreparedQuery,
} from '../../core/database/database.ts';
import { isPostgresUrl, openDatabase } from '../../core/database/open.ts';
import { batch } from '../state/batch.ts';
import { LIMIT_MIGRATIONS, type LimitSchema } from '../state/schema.ts';

const MAX_BATCH = 10_000;
/** Counts are not worth a long wait. */
const MAX_WAIT_MS = 250;
/** Clocks of several machines differ a little, and their windows must still be one. */
const MAX_WINDOWS_AHEAD = 2;

/** Whether a request may pass, and how many more before the window ends. */
interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/**
 * Counts one request of a key. `at` is the request's own time in milliseconds where the sandbox's clock is stopped, so
 * that the verdict depends on the calls alone; otherwise null.
 */
export type RateLimiter = (key: string, at: number | null) => Promise<RateVerdict>;

interface Counted {
  readonly key: string;
  readonly at: number;
}

/** Requests that a key may send in a window of seconds. */
export interface RateLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

/** A limiter with what it has to close. */
export interface OpenRateLimiter {
  readonly limiter: RateLimiter;
  close(): Promise<void>;
}

/** A key's requests in its window; the window ends at `expire`, in milliseconds. */
interface Window {
  readonly points: number;
  readonly expire: number;
}

/**
 * Opens the fixed-window limiter that all processes on a database share. Requests of one turn of the event loop are
 * counted with one statement per key; the new count shows which of them still may pass. `now` returns milliseconds.
 */
export async function openRateLimiter(
  database: DatabaseLocation,
  { count, windowSeconds }: RateLimit,
  now: () => number,
): Promise<OpenRateLimiter> {
  const limits = await openLimits(database);
  const addRequests = requestCounter(limits, windowSeconds * 1000);
  const counted = batch<Counted, RateVerdict>(async (all) => {
    const verdicts = new Map<string, RateVerdict[]>();
    for (const [key, times] of timesByKey(all))
      verdicts.set(key, shareOut(times, await addRequests(key, times.length, Math.max(...times)), count));
    return all.flatMap(({ key }) => verdicts.get(key)?.shift() ?? []);
  }, MAX_BATCH);
  return { limiter: (key, at) => counted({ key, at: at ?? now() }), close: () => limits.close() };
}

/** A limiter that counts nothing and lets every request pass. */
export function withoutLimit({ count, windowSeconds }: RateLimit): OpenRateLimiter {
  const verdict = { allowed: true, limit: count, remaining: count, resetSeconds: windowSeconds };
  return { limiter: async () => verdict, close: async () => undefined };
}

/**
 * Opens the counts of a database: beside a SQLite file in one of their own, because they are not worth waiting for the
 * disk.
 */
export async function openLimits(database: DatabaseLocation): Promise<Database<LimitSchema>> {
  const isShared = database instanceof InMemory || isPostgresUrl(database);
  const location = isShared ? database : `${database}-limits`;
  return openDatabase<LimitSchema>(location, LIMIT_MIGRATIONS, {
    name: 'sandbox_limits',
    durability: 'memory',
    connections: 2,
    busyTimeout: MAX_WAIT_MS,
    // Counts lost in a power cut do not matter.
    allowEmptyFile: true,
  });
}

/**
 * Adds requests to the window of their key. While the database cannot be written, this process keeps its own count: a
 * full disk is no reason to refuse a read, or to drop the limit.
 */
function requestCounter(
  limits: Database<LimitSchema>,
  windowMs: number,
): (key: string, requests: number, begin: number) => Promise<Window> {
  const upsert = prepareUpsert(limits);
  const latest = new Map<string, Window>();
  return async (key, requests, begin) => {
    const farthest = begin + MAX_WINDOWS_AHEAD * windowMs;
    let window: Window | undefined;
    try {
      [window] = await upsert([key, requests, begin + windowMs, begin, farthest, begin, farthest]);
      if (window === undefined) throw new TypeError('The rate limit was not counted.');
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const { points, expire } = openWindow(latest.get(key), begin) ?? {
        points: 0,
        expire: begin + windowMs,
      };
      window = { points: points + requests, expire };
    }
    latest.set(key, window);
    return window;
  };
}

function openWindow(window: Window | undefined, at: number): Window | undefined {
  return window !== undefined && window.expire > at ? window : undefined;
}

function prepareUpsert(limits: Database<LimitSchema>): PreparedQuery<Window> {
  // A window that ends much later than one starting now was started by a clock that has been set back since.
  const query = sql<Window>`insert into sandbox_limits (key, points, expire) values (${''}, ${0}, ${0})
    on conflict (key) do update set
      points = case when sandbox_limits.expire > ${0} and sandbox_limits.expire <= ${0}
        then sandbox_limits.points else 0 end + excluded.points,
      expire = case when sandbox_limits.expire > ${0} and sandbox_limits.expire <= ${0}
        then sandbox_limits.expire else excluded.expire end
    returning points, expire`.compile(limits.kysely);
  return limits.prepare(query);
}

function timesByKey(all: readonly Counted[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { key, at } of all) {
    const known = times.get(key);
    if (known === undefined) times.set(key, [at]);
    else known.push(at);
  }
  return times;
}

/** The verdicts on the last requests that were added to a window. */
function shareOut(times: readonly number[], { points, expire }: Window, limit: number): RateVerdict[] {
  return times.map((at, index) => {
    const place = points - times.length + index + 1;
    const resetSeconds = Math.max(1, Math.ceil((expire - at) / 1000));
    return { allowed: place <= limit, limit, remaining: Math.max(0, limit - place), resetSeconds };
  });
}

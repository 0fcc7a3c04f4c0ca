import { type Kysely, sql } from 'kysely';
import { StorageError } from '../../base/errors.ts';
import type { Database } from '../../core/database/database.ts';
import { inGroups } from '../state/in-groups.ts';
import type { SandboxSchema } from '../state/schema.ts';

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

/** A key's requests in its window; the window ends at `expire`, in milliseconds. */
interface Window {
  readonly points: number;
  readonly expire: number;
}

/**
 * The fixed-window limiter that all processes on a database share. Requests that arrive together are counted with one
 * statement per key; the new count shows which of them still may pass. `now` returns milliseconds.
 */
export function rateLimiter(
  database: Database<SandboxSchema>,
  { count: limit, windowSeconds }: RateLimit,
  now: () => number,
): RateLimiter {
  const add = requestCounter(database.outside(MAX_WAIT_MS), windowSeconds * 1000);
  const counted = inGroups<Counted, RateVerdict>(async (all) => {
    const verdicts = new Map<Counted, RateVerdict>();
    for (const key of new Set(all.map((request) => request.key))) {
      const own = all.filter((request) => request.key === key);
      const { points, expire } = await add(key, own.length, Math.max(...own.map(({ at }) => at)));
      for (const [index, request] of own.entries()) {
        const place = points - own.length + index + 1;
        verdicts.set(request, {
          allowed: place <= limit,
          limit,
          remaining: Math.max(0, limit - place),
          resetSeconds: Math.max(1, Math.ceil((expire - request.at) / 1000)),
        });
      }
    }
    return all.flatMap((request) => verdicts.get(request) ?? []);
  });
  return (key, at) => counted({ key, at: at ?? now() });
}

/** A limiter that counts nothing and lets every request pass. */
export function withoutLimit({ count, windowSeconds }: RateLimit): RateLimiter {
  const verdict = { allowed: true, limit: count, remaining: count, resetSeconds: windowSeconds };
  return async () => verdict;
}

/**
 * Adds requests to the window of their key. While the database cannot be written, this process keeps its own count: a
 * full disk is no reason to refuse a read, or to drop the limit.
 */
function requestCounter(
  db: Kysely<SandboxSchema>,
  windowMs: number,
): (key: string, requests: number, begin: number) => Promise<Window> {
  const latest = new Map<string, Window>();
  return async (key, requests, begin) => {
    const window = await addRequests(db, { key, points: requests, expire: begin + windowMs }, begin).catch(
      (error: unknown) => {
        if (!(error instanceof StorageError)) throw error;
        const open = latest.get(key);
        return open !== undefined && open.expire > begin
          ? { points: open.points + requests, expire: open.expire }
          : { points: requests, expire: begin + windowMs };
      },
    );
    latest.set(key, window);
    return window;
  };
}

/** Adds the requests of a new window to those of the open one, if there is one. */
async function addRequests(
  db: Kysely<SandboxSchema>,
  { key, points, expire }: Window & { readonly key: string },
  begin: number,
): Promise<Window> {
  // A window that ends much later than one starting now was started by a clock that has been set back since.
  const isOpen = sql`sandbox_limits.expire > ${begin}
    and sandbox_limits.expire <= ${begin + MAX_WINDOWS_AHEAD * (expire - begin)}`;
  const { rows } = await sql<Window>`insert into sandbox_limits (key, points, expire)
    values (${key}, ${points}, ${expire})
    on conflict (key) do update set
      points = case when ${isOpen} then sandbox_limits.points else 0 end + excluded.points,
      expire = case when ${isOpen} then sandbox_limits.expire else excluded.expire end
    returning points, expire`.execute(db);
  const [window] = rows;
  if (window === undefined) throw new TypeError('The rate limit was not counted.');
  return window;
}

/** Forgets all counts, in a transaction. */
export async function clearLimits(tx: Kysely<SandboxSchema>): Promise<void> {
  await tx.deleteFrom('sandbox_limits').execute();
}

import { sql } from 'kysely';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Database, PreparedQuery } from '../../database/database.ts';
import { StorageError } from '../../errors.ts';
import type { LimitSchema } from '../state/schema.ts';
import type { Count } from './limit-memory.ts';
import { CountsInMemory } from './limit-memory.ts';

/** Clocks of several machines differ a little, and their windows must still be one. */
const MAX_WINDOWS_AHEAD = 2;

/**
 * The store of rate-limiter-flexible on our own databases: one statement that SQLite and PostgreSQL both run, and the
 * clock that is handed in where the library's own stores would look at the system's.
 */
export class LimitStore extends RateLimiterStoreAbstract {
  readonly #now: () => number;
  readonly #upsert: PreparedQuery<Count>;
  readonly #inMemory = new CountsInMemory();

  constructor(database: Database<LimitSchema>, points: number, windowSeconds: number, now: () => number) {
    super({ storeClient: database, points, duration: windowSeconds, keyPrefix: '' });
    this.#now = now;
    this.#upsert = prepareUpsert(database);
  }

  /** Counts requests of a key; tells how many the key has sent in this window and when the window ends. */
  async take(key: string, times: number): Promise<{ readonly consumed: number; readonly resetMs: number }> {
    try {
      const { consumedPoints, msBeforeNext } = await this.consume(key, times);
      return { consumed: consumedPoints, resetMs: msBeforeNext };
    } catch (error) {
      // The library rejects with the count when it is too high.
      if (!isCount(error)) throw error;
      return { consumed: error.consumedPoints, resetMs: error.msBeforeNext };
    }
  }

  /** Called by the library. */
  protected async _upsert(key: string, points: number, windowMs: number): Promise<Count> {
    const now = this.#now();
    const last = now + MAX_WINDOWS_AHEAD * windowMs;
    try {
      const [count] = await this.#upsert([key, points, now + windowMs, now, last, now, last]);
      if (count === undefined) throw new TypeError('The rate limit was not counted.');
      this.#inMemory.note(key, count);
      return count;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return this.#inMemory.add(key, points, windowMs, now);
    }
  }

  /** Called by the library. */
  protected _getRateLimiterRes(_key: string, changed: number, { points, expire }: Count): RateLimiterRes {
    const left = Math.max(0, this.points - points);
    return new RateLimiterRes(left, Math.max(0, expire - this.#now()), points, points === changed);
  }
}

function prepareUpsert(database: Database<LimitSchema>): PreparedQuery<Count> {
  // A window that ends much later than one which begins now was begun by a clock that has been set back since.
  const query = sql<Count>`insert into sandbox_limits (key, points, expire) values (${''}, ${0}, ${0})
    on conflict (key) do update set
      points = case when sandbox_limits.expire > ${0} and sandbox_limits.expire <= ${0}
        then sandbox_limits.points else 0 end + excluded.points,
      expire = case when sandbox_limits.expire > ${0} and sandbox_limits.expire <= ${0}
        then sandbox_limits.expire else excluded.expire end
    returning points, expire`.compile(database.kysely);
  return database.prepare(query);
}

function isCount(error: unknown): error is { consumedPoints: number; msBeforeNext: number } {
  return typeof error === 'object' && error !== null && 'consumedPoints' in error && 'msBeforeNext' in error;
}

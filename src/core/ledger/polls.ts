import type { Expression, SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { MAX_POLL_DELAY_MS } from '../swap/polling.ts';
import {
  CLOCKS_DIFFER_MS,
  type DamagedEntryError,
  type Entry,
  entryFromRow,
  inParts,
  type Owner,
  readableWith,
} from './entry.ts';
import type { Is } from './filter.ts';
import { isOpenOf, type LedgerSchema } from './schema.ts';

/** Which open swaps a process polls: whose, which orders, and by which schedule. */
export interface Followed {
  readonly owner: Owner;
  /** Order numbers; null for every open swap of the owner. */
  readonly orders: readonly string[] | null;
  /** A swap is due if it was not polled since this time, in milliseconds since 1970; null: by its own schedule. */
  readonly unseenSince: number | null;
}

/** Maximum lease of a swap, in milliseconds: by then its poll has ended, or its process has died. */
export const POLL_LEASE_MS = 20_000;

/**
 * Leases of open swaps to the processes that poll them: each is leased to one process at a time, and to the next one that
 * claims it once the lease has expired. A time further ahead than any that can have been written by now counts as past: the
 * clock has been set back since. All methods throw `storage_failed`. Times are milliseconds since 1970.
 */
export function polls(
  { kind, kysely, relaxed }: Database<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
) {
  const readable = readableWith(onDamaged, entryFromRow);
  const byIds = async (ids: readonly string[], onlyEnded = false) => {
    const all = kysely.selectFrom('intents').selectAll();
    const wanted = onlyEnded ? all.where('final', '=', 1) : all;
    return readable(await inParts(ids, (part) => wanted.where('id', 'in', part).execute()));
  };
  return {
    /** Leases the swap that is due for longest to a holder, which may then poll it; an empty list where none is due. */
    claimDue: async (followed: Followed, holder: string, now: number): Promise<readonly Entry[]> => {
      const rows = await relaxed
        .updateTable('intents')
        .set({ poll_lease: holder, poll_lease_until: now + POLL_LEASE_MS })
        // One id, not a list: SQLite would make a temporary table for it, which took most of the time of a claim.
        .where('id', '=', (db) => {
          const due = db
            .selectFrom('intents')
            .select('id')
            .where((is) => is.and([isFollowed(is, followed), isDue(is, followed, now)]))
            .orderBy('next_poll_at')
            .limit(1);
          // Processes that claim at the same time get different swaps, and none waits for another.
          return kind === 'postgres' ? due.forUpdate().skipLocked() : due;
        })
        .returningAll()
        .execute();
      return readable(rows);
    },
    /** When the next swap without a lease is due by its own schedule; null if there is none. */
    nextDue: async (followed: Omit<Followed, 'unseenSince'>, now: number): Promise<number | null> => {
      const free = kysely
        .selectFrom('intents')
        .select('next_poll_at')
        .where((is) => is.and([isFollowed(is, followed), isFree(is, now)]))
        .limit(1);
      const last = await free.orderBy('next_poll_at', 'desc').executeTakeFirst();
      if (last !== undefined && last.next_poll_at > latestPoll(now)) return now;
      return (await free.orderBy('next_poll_at').executeTakeFirst())?.next_poll_at ?? null;
    },
    /** Ends the lease of a swap whose poll failed; no process polls it again before that time. */
    postpone: async (id: string, until: number): Promise<void> => {
      await relaxed
        .updateTable('intents')
        .set({ poll_lease: null, poll_lease_until: until })
        .where('id', '=', id)
        .execute();
    },
    /** The owner's swaps that were polled or created after a time, if wanted; of the others only the order is read. */
    seenSince: async (
      owner: Owner,
      time: number,
      isWanted: (seen: { readonly order: string | null; readonly seenAt: number | null }) => boolean = () =>
        true,
    ): Promise<readonly Entry[]> => {
      const all = await kysely
        .selectFrom('intents')
        .select(['id', 'order_number as order', 'seen_at as seenAt'])
        .where('account', '=', owner.account)
        .where('seen_at', '>', time)
        .where('outcome', '=', 'created')
        .execute();
      return byIds(all.filter(isWanted).map(({ id }) => id));
    },
    /** The entries with these ids whose swap has ended, whatever the clock of the process that recorded it. */
    ended: (ids: readonly string[]): Promise<readonly Entry[]> => byIds(ids, true),
  };
}

/** Longest time for which a swap is postponed, in milliseconds. */
export const MAX_POSTPONED_MS = 10 * 60_000;

function isFollowed(is: Is, { owner, orders }: Omit<Followed, 'unseenSince'>): Expression<SqlBool> {
  return is.and([
    isOpenOf(owner.account),
    orders === null ? is('order_number', 'is not', null) : is('order_number', 'in', [...orders]),
  ]);
}

function isDue(is: Is, { unseenSince }: Followed, now: number): Expression<SqlBool> {
  if (unseenSince === null)
    return is.and([
      isFree(is, now),
      is.or([is('next_poll_at', '<=', now), is('next_poll_at', '>', latestPoll(now))]),
    ]);
  const isStale = [is('seen_at', '<', unseenSince), is('seen_at', '>', now + CLOCKS_DIFFER_MS)];
  const isUnseen = [is('seen_at', 'is', null), ...isStale];
  return is.and([isFree(is, now), is.or(isUnseen)]);
}

/** Whether no process holds a swap, and it is not postponed. */
function isFree(is: Is, now: number): Expression<SqlBool> {
  const latestLease = now + POLL_LEASE_MS + CLOCKS_DIFFER_MS;
  return is.or([
    is('poll_lease_until', '<=', now),
    is('poll_lease_until', '>', now + MAX_POSTPONED_MS + CLOCKS_DIFFER_MS),
    is.and([is('poll_lease', 'is not', null), is('poll_lease_until', '>', latestLease)]),
  ]);
}

/** The latest time for which a poll can have been scheduled by now, unless the clock was set back since. */
function latestPoll(now: number): number {
  return now + MAX_POLL_DELAY_MS + CLOCKS_DIFFER_MS;
}

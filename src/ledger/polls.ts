import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { MAX_POLL_DELAY_MS } from '../swap/polling.ts';
import type { DamagedEntryError, Entry, Owner } from './entry.ts';
import { eachReadable } from './readable.ts';
import type { LedgerSchema } from './schema.ts';

/** Selection of swaps to follow. */
export interface Followed {
  readonly owner: Owner;
  /** Order numbers; null for every open swap of the owner. */
  readonly orders: readonly string[] | null;
  /** A swap is due if it was not seen since then, in milliseconds since 1970; null: once its own pause is over. */
  readonly unseenSince: number | null;
}

/**
 * Leases of open swaps to the processes that look at them: each is leased to one process at a time, and the next one that asks gets it
 * where that process died. All methods throw `storage_failed`. Times are milliseconds since 1970.
 */
export interface Polls {
  /** Leases due swaps to a holder, at most `most`, those that have been due for longest; the holder may look at them. */
  claimDue(followed: Followed, holder: string, now: number, most: number): Promise<readonly Entry[]>;
  /** When the next of the swaps that nobody holds is due by its own pause; null where there is none. */
  nextDue(followed: Omit<Followed, 'unseenSince'>, now: number): Promise<number | null>;
  /** Ends the lease of a swap of which nothing could be learned: nobody looks again before that time. */
  postpone(id: string, until: number): Promise<void>;
  /** The owner's swaps that were seen after a time, whoever saw them, and those that were created since. */
  seenSince(owner: Owner, time: number): Promise<readonly Entry[]>;
  /** Makes swaps due whose next look lies farther ahead than the longest pause: the clock was set back. */
  mendSchedule(now: number): Promise<void>;
}

/** Longest lease of a swap: whoever looks at it is done by then, or dead. */
export const POLL_LEASE_MS = 20_000;

/** The ledger's part for those who follow swaps. */
export function polls(
  { kind, kysely }: Database<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
): Polls {
  const readable = eachReadable(onDamaged);
  return {
    claimDue: async (followed, holder, now, most) => {
      const rows = await kysely
        .with('due', (db) => {
          const due = db
            .selectFrom('intents')
            .select('id')
            .where((is) => is.and([isFollowed(is, followed), isDue(is, followed, now)]))
            .orderBy('next_poll_at')
            .limit(most);
          // Several processes that ask at once each get other swaps, and none waits for another.
          return kind === 'postgres' ? due.forUpdate().skipLocked() : due;
        })
        .updateTable('intents')
        .set({ poll_lease: holder, poll_lease_until: now + POLL_LEASE_MS })
        .where('id', 'in', (db) => db.selectFrom('due').select('id'))
        .returningAll()
        .execute();
      return readable([...rows].sort((a, b) => a.next_poll_at - b.next_poll_at));
    },
    nextDue: async (followed, now) => {
      const row = await kysely
        .selectFrom('intents')
        .select('next_poll_at')
        .where((is) => is.and([isFollowed(is, followed), is('poll_lease_until', '<=', now)]))
        .orderBy('next_poll_at')
        .limit(1)
        .executeTakeFirst();
      return row?.next_poll_at ?? null;
    },
    postpone: async (id, until) => {
      await kysely
        .updateTable('intents')
        .set({ poll_lease: null, poll_lease_until: until })
        .where('id', '=', id)
        .execute();
    },
    seenSince: async (owner, time) => {
      const rows = await kysely
        .selectFrom('intents')
        .selectAll()
        .where('account', '=', owner.account)
        .where('seen_at', '>', time)
        .where('outcome', '=', 'created')
        .execute();
      return readable(rows);
    },
    mendSchedule: async (now) => {
      await kysely
        .updateTable('intents')
        .set({ next_poll_at: 0, poll_lease: null, poll_lease_until: 0 })
        .where(IS_OPEN)
        .where((is) =>
          is.or([
            is('next_poll_at', '>', now + MAX_POLL_DELAY_MS + CLOCKS_DIFFER_MS),
            is('poll_lease_until', '>', now + MAX_POSTPONED_MS + CLOCKS_DIFFER_MS),
          ]),
        )
        .execute();
    },
  };
}

/** Longest time for which a swap is postponed. */
export const MAX_POSTPONED_MS = 10 * 60_000;

/** The clocks of a team's machines differ by less. */
const CLOCKS_DIFFER_MS = 60_000;

/** Written out, for both databases take a partial index only where the text of the query has its condition. */
const IS_OPEN = sql<SqlBool>`final = 0 and outcome = 'created'`;

type Is = ExpressionBuilder<LedgerSchema, 'intents'>;

function isFollowed(is: Is, { owner, orders }: Omit<Followed, 'unseenSince'>): Expression<SqlBool> {
  return is.and([
    IS_OPEN,
    is('account', '=', owner.account),
    orders === null ? is('order_number', 'is not', null) : is('order_number', 'in', [...orders]),
  ]);
}

function isDue(is: Is, { unseenSince }: Followed, now: number): Expression<SqlBool> {
  const isFree = is('poll_lease_until', '<=', now);
  if (unseenSince === null) return is.and([isFree, is('next_poll_at', '<=', now)]);
  // What was seen in the future was seen before a clock was set back.
  const isUnseen = [
    is('seen_at', 'is', null),
    is('seen_at', '<', unseenSince),
    is('seen_at', '>', now + CLOCKS_DIFFER_MS),
  ];
  return is.and([isFree, is.or(isUnseen)]);
}

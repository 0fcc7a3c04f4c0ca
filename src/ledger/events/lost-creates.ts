import type { Database } from '../../database/database.ts';
import { entryFromRow } from '../entry.ts';
import type { LedgerSchema } from '../schema.ts';
import { IS_UNKNOWN } from '../schema.ts';
import { recordUnknownCreate } from './outbox.ts';

/** A create that is older than this is over, one way or the other: whoever sent it waits for its answer no longer. */
const MAX_CREATE_MS = 5 * 60_000;

/** One that is older still is history, of a time when nobody listened. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Creates of which nobody said what became of them. Throws `storage_failed`. */
export interface LostCreates {
  /** Records an event for each create of an account whose process ended before it could settle it; gives how many. */
  recordLostCreates(account: string, now: number): Promise<number>;
}

/** See {@link LostCreates}. */
export function lostCreates(database: Database<LedgerSchema>): LostCreates {
  return {
    recordLostCreates: async (account, now) => {
      const unknown = await database.kysely
        .selectFrom('intents')
        .select(['id', 'account'])
        .where(IS_UNKNOWN)
        .where('requested_at', '>', now - MAX_AGE_MS)
        .where('requested_at', '<', now - MAX_CREATE_MS)
        .where('events', '=', 0)
        .execute();
      // Not by the database: SQLite would take an index that has all swaps of the account.
      const lost = unknown.filter((row) => row.account === account);
      for (const { id } of lost)
        await database.transaction(async (tx) => {
          // Locked, and not settled meanwhile.
          const row = await tx
            .updateTable('intents')
            .set({ events: 0 })
            .where('id', '=', id)
            .where('outcome', '=', 'unknown')
            .where('events', '=', 0)
            .returningAll()
            .executeTakeFirst();
          if (row !== undefined) await recordUnknownCreate(tx, entryFromRow(row), now);
        });
      return lost.length;
    },
  };
}

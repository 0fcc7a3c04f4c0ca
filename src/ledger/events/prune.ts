import type { Database } from '../../database/database.ts';
import type { LedgerSchema } from '../schema.ts';
import { IS_DELIVERED } from '../schema.ts';

/** So many events are removed in one transaction, so that nobody who writes has to wait for long. */
const MAX_IN_ONE_STEP = 50;

/** Removing old events. Throws `storage_failed`. */
export interface EventPruning {
  /** Removes some of the events that were delivered before a time, with their attempts; gives how many. */
  pruneDelivered(before: number): Promise<number>;
}

/** See {@link EventPruning}. */
export function eventPruning(database: Database<LedgerSchema>): EventPruning {
  return {
    pruneDelivered: async (before) => {
      const old = await database.kysely
        .selectFrom('events')
        .select('id')
        .where(IS_DELIVERED)
        .where('delivered_at', '<', before)
        .orderBy('delivered_at')
        .limit(MAX_IN_ONE_STEP)
        .execute();
      if (old.length === 0) return 0;
      const ids = old.map(({ id }) => id);
      return database.transaction(async (tx) => {
        // One that is sent again meanwhile is not old any more.
        const gone = await tx
          .updateTable('events')
          .set({ lease: null })
          .where('id', 'in', ids)
          .where('delivery', '=', 'delivered')
          .returning('id')
          .execute();
        const removed = gone.map(({ id }) => id);
        if (removed.length === 0) return 0;
        await tx.deleteFrom('event_attempts').where('event_id', 'in', removed).execute();
        await tx.deleteFrom('events').where('id', 'in', removed).execute();
        return removed.length;
      });
    },
  };
}

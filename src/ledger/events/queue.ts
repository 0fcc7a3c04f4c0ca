import type { Kysely, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { LedgerSchema } from '../schema.ts';
import { IS_PENDING } from '../schema.ts';

type Transaction = Kysely<LedgerSchema>;

/**
 * Locks swaps until the transaction ends, so that no one adds an event to them or settles another one. In one order, so
 * that no two wait for each other; a transaction of SQLite has the whole ledger for itself.
 */
export async function lockQueues(
  tx: Transaction,
  kind: Database<LedgerSchema>['kind'],
  intentIds: readonly string[],
): Promise<void> {
  if (kind === 'sqlite') return;
  await tx
    .selectFrom('intents')
    .select('id')
    .where('id', 'in', intentIds)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Of the events of a swap that wait for delivery, only the first one has a time for its next attempt: the others wait for
 * it, and a search for what is due passes over them. Gives the first ones that have none the time `now`. To be called with
 * the swaps locked.
 */
export async function openQueues(tx: Transaction, intentIds: readonly string[], now: number): Promise<void> {
  const first = sql<string>`(select first.id from events as first
    where first.intent_id = intents.id and first.delivery = 'pending' order by first.sequence limit 1)`;
  await tx
    .updateTable('events')
    .set({ next_attempt_at: now })
    .where('id', 'in', (db) =>
      db.selectFrom('intents').select(first.as('first')).where('id', 'in', intentIds),
    )
    .where(IS_PENDING)
    .where(sql<SqlBool>`next_attempt_at is null`)
    .execute();
}

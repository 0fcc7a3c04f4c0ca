import type { Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';
import { IS_PENDING } from '../schema.ts';

type Transaction = Kysely<LedgerSchema>;

/**
 * Locks a swap's row until the transaction ends, so that nobody adds an event to it or settles another one meanwhile.
 * False where there is none.
 */
export async function lockQueue(tx: Transaction, intentId: string): Promise<boolean> {
  const locked = await tx
    .updateTable('intents')
    .set((value) => ({ events: value.ref('events') }))
    .where('id', '=', intentId)
    .executeTakeFirst();
  return locked.numUpdatedRows === 1n;
}

/**
 * Of the events of a swap that wait for delivery, only the first one has a time for its next attempt: the others wait
 * for it, and looking for what is due passes over them. To be called with the swap's row locked.
 */
export async function alignQueue(tx: Transaction, intentId: string, now: number): Promise<void> {
  const first = await tx
    .selectFrom('events')
    .select(['id', 'next_attempt_at'])
    .where('intent_id', '=', intentId)
    .where(IS_PENDING)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return;
  await tx
    .updateTable('events')
    .set({ next_attempt_at: null })
    .where('intent_id', '=', intentId)
    .where(IS_PENDING)
    .where('id', '<>', first.id)
    .where('next_attempt_at', 'is not', null)
    .execute();
  if (first.next_attempt_at !== null) return;
  await tx.updateTable('events').set({ next_attempt_at: now }).where('id', '=', first.id).execute();
}

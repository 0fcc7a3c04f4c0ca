import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { UniqueViolationError } from '../database/failures.ts';
import type { Swap } from '../swap/swap.ts';
import type { Entry, Owner } from './entry.ts';
import { entryFromRow } from './entry.ts';
import type { LedgerSchema } from './schema.ts';

/** An entry of which nothing is known yet. */
export const NEW_ENTRY = {
  idempotencyKey: null,
  request: null,
  outcome: 'not-sent',
  reason: null,
  order: null,
  seenAt: null,
  swap: null,
  refundAddress: null,
} as const;

/** Adds an entry that has no snapshot yet. */
export async function insert(tx: Kysely<LedgerSchema>, entry: Entry): Promise<void> {
  await tx
    .insertInto('intents')
    .values({
      id: entry.id,
      profile: entry.profile,
      environment: entry.environment,
      host: entry.host,
      idempotency_key: entry.idempotencyKey,
      request: JSON.stringify(entry.request),
      outcome: entry.outcome,
      reason: entry.reason,
      order_number: entry.order,
      requested_at: entry.requestedAt,
      seen_at: entry.seenAt,
      snapshot: null,
      status_code: null,
      final: 0,
      refund_address: entry.refundAddress,
    })
    .execute();
}

/** Records a swap as just seen, and a sighting where its status is not the one it had before. */
export async function writeSnapshot(
  tx: Kysely<LedgerSchema>,
  id: string,
  before: number | null,
  swap: Swap,
  at: number,
): Promise<void> {
  const { status, statusCode } = swap;
  await tx
    .updateTable('intents')
    .set({ snapshot: JSON.stringify(swap), seen_at: at, status_code: statusCode, final: swap.final ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  if (before === statusCode) return;
  await tx
    .insertInto('sightings')
    .values({ id: randomUUID(), intent_id: id, seen_at: at, status, status_code: statusCode })
    .execute();
}

/** The entry of a profile's idempotency key. */
export async function findByKey(
  db: Kysely<LedgerSchema>,
  profile: string,
  key: string,
): Promise<Entry | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('profile', '=', profile)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** The entry of an order. */
export async function findByOrder(
  db: Kysely<LedgerSchema>,
  owner: Owner,
  order: string,
): Promise<Entry | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('profile', '=', owner.profile)
    .where('host', '=', owner.host)
    .where('order_number', '=', order)
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** The entry as it was before, with its row locked until the transaction ends; SQLite locks all rows anyway. */
export async function lockByOrder(
  tx: Kysely<LedgerSchema>,
  owner: Owner,
  order: string,
  at: number,
): Promise<Entry | null> {
  const row = await tx
    .updateTable('intents')
    .set({ seen_at: at })
    .where('profile', '=', owner.profile)
    .where('host', '=', owner.host)
    .where('order_number', '=', order)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** Whether the work was done; false where it would have made a second row of what may exist once. */
export async function unlessTaken(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof UniqueViolationError) return false;
    throw error;
  }
}

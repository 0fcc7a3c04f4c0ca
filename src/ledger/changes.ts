import type { Kysely } from 'kysely';
import type { Changes } from '../swap/changes.ts';
import type { ChangeRow, LedgerSchema } from './schema.ts';
import { readChanges } from './stored-json.ts';

/** One recorded change of an entry. Times are milliseconds since 1970. */
export interface RecordedChange {
  readonly at: number;
  /** Last look before it, at which all was still as it had been; null for the first. */
  readonly unchangedUntil: number | null;
  /** `swap.<status>`, `swap.changed`, `swap.doubtful`, `refund_address.set` or `create.<outcome>`. */
  readonly type: string;
  /** Status from then on; null where no order was known yet. */
  readonly status: string | null;
  readonly statusCode: number | null;
  readonly changes: Changes;
}

/**
 * Changes that are kept of one swap. A service that changes its mind at every look makes no more rows than this: what
 * comes later goes into the last one, which then tells from what to what it went.
 */
export const MAX_CHANGES = 200;

/**
 * Records a change, in the transaction that makes it, under the number that the entry's own row has given it. That row
 * stays locked meanwhile.
 */
export async function recordChange(
  tx: Kysely<LedgerSchema>,
  intentId: string,
  sequence: number,
  change: RecordedChange,
): Promise<void> {
  if (sequence > MAX_CHANGES) return foldIntoLast(tx, intentId, change);
  await tx
    .insertInto('changes')
    .values({ intent_id: intentId, sequence, ...columnsOf(change) })
    .execute();
}

/** The changes of an entry, oldest first; one that cannot be read says nothing of what changed. */
export async function changesOf(
  kysely: Kysely<LedgerSchema>,
  intentId: string,
): Promise<readonly RecordedChange[]> {
  const rows = await kysely
    .selectFrom('changes')
    .selectAll()
    .where('intent_id', '=', intentId)
    .orderBy('sequence')
    .execute();
  return rows.map(recordedChange);
}

async function foldIntoLast(
  tx: Kysely<LedgerSchema>,
  intentId: string,
  change: RecordedChange,
): Promise<void> {
  const last = tx.selectFrom('changes').selectAll().where('intent_id', '=', intentId);
  const row = await last.where('sequence', '=', MAX_CHANGES).executeTakeFirst();
  if (row === undefined) return;
  const changes = merged(recordedChange(row).changes, change.changes);
  await tx
    .updateTable('changes')
    .set(columnsOf({ ...change, changes }))
    .where('intent_id', '=', intentId)
    .where('sequence', '=', MAX_CHANGES)
    .execute();
}

/** Two changes, one after the other, as one. */
function merged(first: Changes, second: Changes): Changes {
  const later = Object.entries(second).map(
    ([path, [before, after]]) => [path, [first[path]?.[0] ?? before, after]] as const,
  );
  return { ...first, ...Object.fromEntries(later) };
}

function columnsOf({ at, unchangedUntil, type, status, statusCode, changes }: RecordedChange) {
  return {
    ...{ at, unchanged_until: unchangedUntil, type, status, status_code: statusCode },
    changes: JSON.stringify(changes),
  };
}

function recordedChange(row: ChangeRow): RecordedChange {
  return {
    ...{ at: row.at, unchangedUntil: row.unchanged_until, type: row.type },
    ...{ status: row.status, statusCode: row.status_code, changes: readChanges(row.changes) },
  };
}

import type { Kysely } from 'kysely';
import { UniqueViolationError } from '../database/failures.ts';
import { isUntouched } from '../swap/agreement/fundable.ts';
import { furthest } from '../swap/agreement/progress.ts';
import type { Changes } from '../swap/changes.ts';
import { changesBetween } from '../swap/changes.ts';
import { needOf } from '../swap/need.ts';
import { pollDelay, pollStateOf } from '../swap/polling.ts';
import type { Swap } from '../swap/swap.ts';
import { recordChange } from './changes.ts';
import type { Entry, Owner } from './entry.ts';
import { entryFromRow } from './entry.ts';
import { recordLook } from './events/outbox.ts';
import { storedFigures } from './report/swap-figures.ts';
import type { LedgerSchema } from './schema.ts';
import { storedLabels } from './stored-json.ts';

/** Columns of an entry about which nothing is known yet. */
export const NEW_ENTRY = {
  idempotencyKey: null,
  request: null,
  outcome: 'not-sent',
  reason: null,
  order: null,
  seenAt: null,
  swap: null,
  doubted: null,
  first: null,
  furthest: null,
  doubts: [],
  refundAddress: null,
  labels: {},
  changedAt: null,
} as const;

/** Adds an entry that has no snapshot yet. */
export async function insert(tx: Kysely<LedgerSchema>, entry: Entry): Promise<void> {
  await tx
    .insertInto('intents')
    .values({
      id: entry.id,
      account: entry.account,
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
      first_snapshot: null,
      furthest: null,
      doubts: JSON.stringify(entry.doubts),
      ...{ next_poll_at: 0, poll_lease: null, poll_lease_until: 0, changed_at: null, events: 0 },
      labels: storedLabels(entry.labels),
      ...{ doubted_snapshot: null, changes: 0, figures: storedFigures(entry), troubled: 0 },
    })
    .execute();
}

/** A description of a swap by the service, its doubts, and its time (milliseconds since 1970). */
export interface Look {
  readonly swap: Swap;
  readonly doubts: readonly string[];
  readonly at: number;
}

/**
 * Records a swap as just seen, when to poll it again, and what has changed. While nothing was paid, a doubted answer does
 * not replace the trusted one, which a person may have copied. `refundAddress` is the one from now on; the entry has the
 * one before.
 */
export async function writeLook(
  tx: Kysely<LedgerSchema>,
  entry: Entry,
  look: Look,
  refundAddress: string | null = entry.refundAddress,
): Promise<Entry['swap']> {
  const { swap, doubts, at } = look;
  const { status, statusCode } = swap;
  const believed = entry.swap !== null && isUntouched(swap) && doubts.length > 0 ? entry.swap : swap;
  const before = { ...entry, swap: entry.doubted ?? entry.swap };
  const changes = changesBetween(before, { swap, doubts, refundAddress });
  const changed = before.swap?.statusCode !== statusCode;
  const changedAt = changed ? at : (entry.changedAt ?? at);
  const isRecorded = Object.keys(changes).length > 0;
  const first = entry.first ?? swap;
  const row = await tx
    .updateTable('intents')
    .set((is) => ({
      ...{ refund_address: refundAddress, changes: is('changes', '+', isRecorded ? 1 : 0) },
      doubted_snapshot: believed === swap ? null : JSON.stringify(swap),
      ...{ snapshot: JSON.stringify(believed), seen_at: at, status_code: believed.statusCode },
      ...{ final: believed.final ? 1 : 0, doubts: JSON.stringify(doubts) },
      furthest: furthest(entry.furthest, status),
      first_snapshot: JSON.stringify(first),
      figures: storedFigures({ ...entry, swap: believed, first, doubts }),
      troubled: believed.final && needOf({ ...believed, doubts, refundAddress }) !== null ? 1 : 0,
      ...{ changed_at: changedAt, next_poll_at: at + pollDelay(pollStateOf(swap, changedAt), at) },
      ...{ poll_lease: null, poll_lease_until: 0 },
    }))
    .where('id', '=', entry.id)
    .returning('changes')
    .executeTakeFirstOrThrow();
  if (isRecorded)
    await recordChange(tx, entry.id, row.changes, {
      ...{ at, unchangedUntil: entry.seenAt, type: changeType(changes, status), status, statusCode, changes },
    });
  await recordLook(tx, { ...entry, refundAddress }, look, believed === swap);
  return believed;
}

/** What a recorded change is called: by the most important thing that changed. */
function changeType(changes: Changes, status: string): string {
  if ('statusCode' in changes) return `swap.${status}`;
  if ('refundAddress' in changes) return 'refund_address.set';
  return (changes['doubts']?.[1] ?? []).toString() === '' ? 'swap.changed' : 'swap.doubtful';
}

/** Finds the entry of an account's idempotency key. */
export async function findByKey(
  db: Kysely<LedgerSchema>,
  { account }: Owner,
  key: string,
): Promise<Entry | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('account', '=', account)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** Finds the entry of an order; one whose number differs only in case, if there is no exact match. */
export async function findByOrder(
  db: Kysely<LedgerSchema>,
  { account }: Owner,
  order: string,
): Promise<Entry | null> {
  const rows = await db
    .selectFrom('intents')
    .selectAll()
    .where('account', '=', account)
    .where((is) => is.or([is('order_number', '=', order), is('order_number', 'in', otherCases(order))]))
    .execute();
  const row = rows.find((found) => found.order_number === order) ?? (rows.length === 1 ? rows[0] : undefined);
  return row === undefined ? null : entryFromRow(row);
}

/** Other spellings in which a person may type an order number. */
function otherCases(order: string): readonly string[] {
  return [order.toUpperCase(), order.toLowerCase()];
}

/** Reads an entry and locks its row until the transaction ends; SQLite locks all rows anyway. */
export async function lockByOrder(
  tx: Kysely<LedgerSchema>,
  { account }: Owner,
  order: string,
): Promise<Entry | null> {
  const row = await tx
    .updateTable('intents')
    .set((is) => ({ seen_at: is.ref('seen_at') }))
    .where('account', '=', account)
    .where('order_number', '=', order)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** Does the work and returns true; false where it would have violated a unique key. */
export async function unlessTaken(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof UniqueViolationError) return false;
    throw error;
  }
}

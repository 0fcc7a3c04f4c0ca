import { randomBytes } from 'node:crypto';
import { rfc3339 } from '../../../base/time.ts';
import type { Database } from '../../database/database.ts';
import type { Swap } from '../../swap/swap.ts';
import { type Entry, entryFromRow } from '../entry.ts';
import { IS_PENDING, IS_UNKNOWN, type LedgerSchema, type Transaction } from '../schema.ts';
import { agreedAmounts, swapResult } from '../swap-result.ts';
import { type ApprovalName, CREATE_UNKNOWN, DOUBTFUL, type SwapEvent, statusType } from './event.ts';

/**
 * Records the events of an observation within its transaction: a changed status, and new doubts. `entry` is the swap as it
 * was. `isKept` is false for a doubted observation that does not replace what was known: its status is no change.
 */
export async function recordObservation(
  tx: Transaction,
  entry: Entry,
  { swap, doubts, at }: { readonly swap: Swap; readonly doubts: readonly string[]; readonly at: number },
  isKept: boolean,
): Promise<void> {
  const before = entry.swap;
  const isNewDoubt = doubts.some((code) => !entry.doubts.includes(code));
  const types = [
    ...(isKept && before?.statusCode !== swap.statusCode ? [statusType(swap.status)] : []),
    ...(isNewDoubt ? [DOUBTFUL] : []),
  ];
  if (types.length === 0) return;
  const shown = swapResult(swap, {
    refundAddress: entry.refundAddress,
    profile: entry.profile,
    environment: entry.environment,
    asked: agreedAmounts({ request: entry.request, first: entry.first ?? swap }),
    labels: entry.labels,
    doubts,
    isCurrent: entry.outcome === 'created',
    now: at,
  });
  const previous = before === null ? null : { status: before.status, statusCode: before.statusCode };
  for (const type of types)
    await recordEvent(tx, entry, { type, at, order: swap.order, data: { swap: shown }, previous });
}

/** Records that the outcome of a create is not known, once. */
export async function recordUnknownCreate(tx: Transaction, entry: Entry, at: number): Promise<void> {
  const earlier = await tx
    .selectFrom('events')
    .select('id')
    .where('intent_id', '=', entry.id)
    .where('type', '=', CREATE_UNKNOWN)
    .executeTakeFirst();
  if (earlier !== undefined) return;
  const data = { request: entry.request };
  await recordEvent(tx, entry, { type: CREATE_UNKNOWN, at, order: null, data, previous: null });
}

/** Records that an approval was requested for an entry, or granted; nothing for one that no entry waits for. */
export async function recordApproval(
  tx: Transaction,
  intentId: string | null,
  type: 'approval.requested' | 'approval.granted',
  { approval, at }: { readonly approval: ApprovalName; readonly at: number },
): Promise<void> {
  if (intentId === null) return;
  const row = await tx.selectFrom('intents').selectAll().where('id', '=', intentId).executeTakeFirst();
  if (row === undefined) return;
  const entry = entryFromRow(row);
  const data = { approval, request: entry.request };
  await recordEvent(tx, entry, { type, at, order: entry.order, data, previous: null });
}

type NewEvent = Pick<SwapEvent, 'type' | 'order' | 'data' | 'previous'> & { readonly at: number };

/** Adds an event with the next number of its swap and its body, which never changes. */
async function recordEvent(
  tx: Transaction,
  { id: intentId, account, profile, environment }: Pick<Entry, 'id' | 'account' | 'profile' | 'environment'>,
  { type, at, order, data, previous }: NewEvent,
): Promise<void> {
  const sequence = await nextSequence(tx, intentId);
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const time = rfc3339(at);
  const event: SwapEvent = { id, type, at: time, sequence, order, profile, environment, data, previous };
  const delivered = await isListenedTo(tx, account);
  await tx
    .insertInto('events')
    .values({
      id,
      intent_id: intentId,
      sequence,
      account,
      profile,
      environment,
      order_number: order,
      type,
      at,
      body: JSON.stringify(event),
      delivery: delivered ? 'pending' : 'none',
      attempts: 0,
      next_attempt_at: delivered && !(await hasUndelivered(tx, intentId)) ? at : null,
    })
    .execute();
}

/** Counts in the swap's own row, which stays locked until the transaction ends: no number is repeated or skipped. */
async function nextSequence(tx: Transaction, intentId: string): Promise<number> {
  const { events } = await tx
    .updateTable('intents')
    .set((value) => ({ events: value('events', '+', 1) }))
    .where('id', '=', intentId)
    .returning('events')
    .executeTakeFirstOrThrow();
  return events;
}

/** Whether anyone has listened to this account with a target. */
async function isListenedTo(tx: Transaction, account: string): Promise<boolean> {
  const row = tx.selectFrom('webhooks').select('since').where('account', '=', account);
  return ((await row.executeTakeFirst())?.since ?? null) !== null;
}

/** Whether an earlier event of the swap has to be delivered first. */
async function hasUndelivered(tx: Transaction, intentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('events')
    .select('id')
    .where('intent_id', '=', intentId)
    .where(IS_PENDING)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Age after which an unanswered create is over: the process that sent it has stopped waiting for the response. */
const MAX_CREATE_MS = 5 * 60_000;

/** An older one is history, from a time when no listener ran. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Reason of a create that was never settled; one that was settled as unknown has its own. */
const LOST = 'swapctl ended before the response';

/** Creates that were never settled. */
export function lostCreates(database: Database<LedgerSchema>) {
  return {
    /** Records an event for each create of an account whose process ended before settling it; returns how many. */
    recordLostCreates: async (account: string, now: number): Promise<number> => {
      const unknown = await database.kysely
        .selectFrom('intents')
        .select(['id', 'account'])
        .where(IS_UNKNOWN)
        .where('requested_at', '>', now - MAX_AGE_MS)
        .where('requested_at', '<', now - MAX_CREATE_MS)
        .where('reason', 'is', null)
        .execute();
      // Filtered here: SQLite would use an index on all swaps of the account.
      const lost = unknown.filter((row) => row.account === account);
      for (const { id } of lost)
        await database.transaction(async (tx) => {
          // Lock the row, unless it was settled in the meantime.
          const row = await tx
            .updateTable('intents')
            .set({ reason: LOST })
            .where('id', '=', id)
            .where('outcome', '=', 'unknown')
            .where('reason', 'is', null)
            .returningAll()
            .executeTakeFirst();
          if (row !== undefined) await recordUnknownCreate(tx, entryFromRow(row), now);
        });
      return lost.length;
    },
  };
}

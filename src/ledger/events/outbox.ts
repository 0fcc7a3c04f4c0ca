import type { Kysely } from 'kysely';
import { StorageError } from '../../errors.ts';
import type { Swap } from '../../swap/swap.ts';
import type { Entry } from '../entry.ts';
import type { LedgerSchema } from '../schema.ts';
import { IS_PENDING } from '../schema.ts';
import { askedAmounts, swapResult } from '../swap-result.ts';
import type { EventData, SwapEvent } from './event.ts';
import { CREATE_UNKNOWN, DOUBTFUL, newEventId, statusType } from './event.ts';

type Transaction = Kysely<LedgerSchema>;

/** A look at a swap as the outbox needs it: see `Look` of rows.ts. */
interface SeenSwap {
  readonly swap: Swap;
  readonly doubts: readonly string[];
  readonly at: number;
}

/**
 * Records what is new in a look, in the transaction that records the look itself: a status other than the one
 * before, and doubts that there were not before. `entry` is the swap as it was. `believed` is false for a look in
 * doubt that does not replace what was known: its status is no change.
 */
export async function recordLook(
  tx: Transaction,
  entry: Entry,
  { swap, doubts, at }: SeenSwap,
  believed: boolean,
): Promise<void> {
  const before = entry.swap;
  const isNewDoubt = doubts.some((code) => entry.doubts?.includes(code) !== true);
  const types = [
    ...(believed && before?.statusCode !== swap.statusCode ? [statusType(swap.status)] : []),
    ...(isNewDoubt ? [DOUBTFUL] : []),
  ];
  if (types.length === 0) return;
  const shown = swapResult(swap, {
    ...{ refundAddress: entry.refundAddress, profile: entry.profile, environment: entry.environment },
    ...{
      asked: askedAmounts({ request: entry.request, first: entry.first ?? swap }),
      ...{ labels: entry.labels, doubts },
      believed: entry.outcome === 'created',
      now: at,
    },
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

interface NewEvent {
  readonly type: string;
  readonly at: number;
  readonly order: string | null;
  readonly data: EventData;
  readonly previous: SwapEvent['previous'];
}

/** Gives an event the next number of its swap, and its body, which is never made again. */
async function recordEvent(
  tx: Transaction,
  { id: intentId, account, profile, environment }: Pick<Entry, 'id' | 'account' | 'profile' | 'environment'>,
  { type, at, order, data, previous }: NewEvent,
): Promise<void> {
  const sequence = await nextSequence(tx, intentId);
  const id = newEventId();
  const event: SwapEvent = {
    ...{ id, type, at: new Date(at).toISOString(), sequence, order, profile, environment, data, previous },
  };
  const delivered = await isListenedTo(tx, account);
  await tx
    .insertInto('events')
    .values({
      ...{ id, intent_id: intentId, sequence, account, profile, environment, order_number: order, type, at },
      body: JSON.stringify(event),
      delivery: delivered ? 'pending' : 'none',
      attempts: 0,
      next_attempt_at: delivered && !(await hasUndelivered(tx, intentId)) ? at : null,
      ...{ last_error: null, lease: null, lease_until: null, delivered_at: null },
    })
    .execute();
}

/** Counts in the swap's own row, which stays locked until the transaction ends: no number is given twice or left out. */
async function nextSequence(tx: Transaction, intentId: string): Promise<number> {
  const row = await tx
    .updateTable('intents')
    .set((value) => ({ events: value('events', '+', 1) }))
    .where('id', '=', intentId)
    .returning('events')
    .executeTakeFirst();
  if (row === undefined) throw new StorageError('The ledger lost an entry while it was being written.');
  return row.events;
}

/** Whether anyone has listened to this account with a target. */
async function isListenedTo(tx: Transaction, account: string): Promise<boolean> {
  const row = await tx
    .selectFrom('webhooks')
    .select('since')
    .where('account', '=', account)
    .executeTakeFirst();
  return row !== undefined && row.since !== null;
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

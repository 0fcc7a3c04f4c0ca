import type { Swap } from '../swap/swap.ts';
import { type Entry, readDoubts, readLabels, readSnapshot, wholeOf } from './entry.ts';
import type { IntentRow } from './schema.ts';

/** The columns of a row that exports need: without the request, reading takes a third of the time. */
export const SETTLED_COLUMNS = [
  'id',
  'profile',
  'environment',
  'order_number',
  'requested_at',
  'snapshot',
  'doubts',
  'refund_address',
  'labels',
] as const satisfies readonly (keyof IntentRow)[];

/** A swap as exports need it. */
export type SettledEntry = Pick<
  Entry,
  'profile' | 'environment' | 'order' | 'requestedAt' | 'doubts' | 'refundAddress' | 'labels'
> &
  Pick<Swap, 'status' | 'deposit' | 'receive' | 'endedAt'>;

/** Reads a row of an order that was seen. Throws DamagedEntryError. */
export function settledFromRow(row: Pick<IntentRow, (typeof SETTLED_COLUMNS)[number]>): SettledEntry {
  const whole = wholeOf(row);
  const swap = whole(readSnapshot(row.snapshot) ?? undefined, 'the swap as last seen');
  return {
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    order: row.order_number,
    requestedAt: row.requested_at,
    doubts: whole(readDoubts(row.doubts), 'the list of doubts'),
    refundAddress: row.refund_address,
    labels: whole(readLabels(row.labels), 'its labels'),
    status: swap.status,
    deposit: swap.deposit,
    receive: swap.receive,
    endedAt: swap.endedAt,
  };
}

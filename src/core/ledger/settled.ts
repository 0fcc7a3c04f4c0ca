import type { Swap } from '../swap/swap.ts';
import {
  DamagedEntryError,
  type Entry,
  isValidDateMs,
  readDoubts,
  readLabels,
  readSnapshot,
} from './entry.ts';
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

/** Reads a row of an order that was seen. Throws {@link DamagedEntryError}. */
export function settledFromRow(row: Pick<IntentRow, (typeof SETTLED_COLUMNS)[number]>): SettledEntry {
  const swap = readSnapshot(row.snapshot);
  const [doubts, labels] = [readDoubts(row.doubts), readLabels(row.labels)];
  if (!swap) throw new DamagedEntryError(row, 'the swap as last seen');
  if (doubts === undefined) throw new DamagedEntryError(row, 'the list of doubts');
  if (labels === undefined) throw new DamagedEntryError(row, 'its labels');
  if (!isValidDateMs(row.requested_at)) throw new DamagedEntryError(row, 'a time');
  return {
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    order: row.order_number,
    requestedAt: row.requested_at,
    doubts,
    refundAddress: row.refund_address,
    labels,
    status: swap.status,
    deposit: swap.deposit,
    receive: swap.receive,
    endedAt: swap.endedAt,
  };
}

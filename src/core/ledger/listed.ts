import { type Kysely, sql } from 'kysely';
import type { Swap } from '../swap/swap.ts';
import type { Entry } from './entry.ts';
import {
  entryFromRow,
  type IntentOutcome,
  readDoubts,
  readIntent,
  readLabels,
  readSnapshot,
  wholeOf,
} from './entry.ts';
import { readFigures } from './report/swap-figures.ts';
import type { IntentRow, LedgerSchema } from './schema.ts';
import { agreedAmounts, type ListedEntry } from './swap-result.ts';

const COLUMNS = [
  'id',
  'profile',
  'environment',
  'outcome',
  'reason',
  'order_number',
  'requested_at',
  'seen_at',
  'snapshot',
  'doubts',
  'refund_address',
  'labels',
  'idempotency_key',
  'deposit_amount',
  'figures',
] as const;

/** The columns of a row that lists need: they parse one JSON text of a swap instead of three. */
export function listedRows(kysely: Kysely<LedgerSchema>) {
  const request = sql<string | null>`case when snapshot is null then request end`;
  // What is not parsed here may be torn; checking both ends costs little beside parsing it.
  const isWhole = sql<number>`case when (request = 'null' or request like '{"deposit":{%}')
    and (first_snapshot is null or first_snapshot like '{%}') then 1 else 0 end`;
  return kysely.selectFrom('intents').select([...COLUMNS, request.as('request'), isWhole.as('is_whole')]);
}

export type ListedRow = Pick<IntentRow, (typeof COLUMNS)[number]> & {
  readonly request: string | null;
  /** 0 if the request or the first snapshot has not the form in which it is written. */
  readonly is_whole: number;
};

/** Reads a row; undefined if the whole row is needed: no stored figures, or damage. Throws DamagedEntryError. */
export function listedFromRow(row: ListedRow): ListedEntry | undefined {
  const figures = readFigures(row.figures);
  if (figures === null || row.is_whole === 0) return undefined;
  const whole = wholeOf(row);
  const deposit = row.deposit_amount;
  return {
    id: row.id,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    outcome: row.outcome as IntentOutcome,
    reason: row.reason,
    order: row.order_number,
    requestedAt: row.requested_at,
    seenAt: row.seen_at,
    request: row.request === null ? null : whole(readIntent(row.request), 'the request'),
    swap: whole(readSnapshot(row.snapshot), 'the swap as last seen'),
    doubts: whole(readDoubts(row.doubts), 'the list of doubts'),
    refundAddress: row.refund_address,
    labels: whole(readLabels(row.labels), 'its labels'),
    idempotencyKey: row.idempotency_key,
    asked: deposit === null ? null : { deposit, receive: figures.promised },
  };
}

/** Reads whole rows. Throws DamagedEntryError. */
export function listedEntryFromRow(row: IntentRow): ListedEntry {
  const entry = entryFromRow(row);
  return { ...entry, asked: agreedAmounts(entry) };
}

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

import { StorageError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Environment, RateType, Swap } from '../swap/swap.ts';
import type { IntentRow } from './schema.ts';
import { readIntent, readSnapshot } from './stored-json.ts';

/** What became of a create: not sent yet, sent without a usable answer, answered with an order, or refused. */
export type IntentOutcome = 'not-sent' | 'unknown' | 'created' | 'refused';

/** What a swap was asked to be, as it was sent. */
export interface CreateIntent {
  readonly deposit: { readonly coin: string; readonly network: string };
  readonly receive: { readonly coin: string; readonly network: string };
  /** Amount of the deposit, as it was sent. */
  readonly amount: Decimal;
  /** Amount as it was asked for, of the side that `lastSource` names. */
  readonly asked: Decimal;
  readonly lastSource: 'deposit' | 'receive';
  readonly type: RateType;
  readonly address: string;
  readonly memo: string | null;
  readonly refundAddress: string | null;
}

/** Whose swap it is. */
export interface Owner {
  readonly profile: string;
  readonly environment: Environment;
  /** Host of the base URL, or `built-in`. */
  readonly host: string;
}

/** One line of the ledger. */
export interface Entry extends Owner {
  readonly id: string;
  readonly idempotencyKey: string | null;
  /** Null for an order that was made elsewhere and became known through `refund`. */
  readonly request: CreateIntent | null;
  readonly outcome: IntentOutcome;
  readonly reason: string | null;
  readonly order: string | null;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly seenAt: number | null;
  readonly swap: Swap | null;
  readonly refundAddress: string | null;
}

/** A row that holds something else than swapctl writes: of another program, or of a disk that lost bytes. */
export class DamagedEntryError extends StorageError {
  readonly id: string;

  constructor({ id, order_number: order }: IntentRow, what: string) {
    const which = order === null ? `entry ${id}` : `order ${order} (entry ${id})`;
    super(
      `The ledger holds an entry that cannot be read: ${which}, of which ${what} is damaged.`,
      'Restore a copy of the ledger, or ask the service for that order; all other entries can be read.',
    );
    this.id = id;
  }
}

/** Reads a row. Throws {@link DamagedEntryError}. */
export function entryFromRow(row: IntentRow): Entry {
  const request = readIntent(row.request);
  if (request === undefined) throw new DamagedEntryError(row, 'what was asked for');
  const swap = readSnapshot(row.snapshot);
  if (swap === undefined) throw new DamagedEntryError(row, 'the swap as last seen');
  if (!isMoment(row.requested_at) || (row.seen_at !== null && !isMoment(row.seen_at)))
    throw new DamagedEntryError(row, 'a time');
  return {
    id: row.id,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    host: row.host,
    idempotencyKey: row.idempotency_key,
    request,
    outcome: row.outcome as IntentOutcome,
    reason: row.reason,
    order: row.order_number,
    requestedAt: row.requested_at,
    seenAt: row.seen_at,
    swap,
    refundAddress: row.refund_address,
  };
}

/** Whether a number of milliseconds is a time that a date can hold. */
function isMoment(milliseconds: number): boolean {
  return !Number.isNaN(new Date(milliseconds).getTime());
}

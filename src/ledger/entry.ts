import { StorageError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Environment, RateType, Swap } from '../swap/swap.ts';
import type { IntentRow } from './schema.ts';

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

/** Reads a row; JSON that is not ours means a damaged ledger. */
export function entryFromRow(row: IntentRow): Entry {
  return {
    id: row.id,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    host: row.host,
    idempotencyKey: row.idempotency_key,
    request: readJson<CreateIntent | null>(row.request),
    outcome: row.outcome as IntentOutcome,
    reason: row.reason,
    order: row.order_number,
    requestedAt: row.requested_at,
    seenAt: row.seen_at,
    swap: row.snapshot === null ? null : readJson<Swap>(row.snapshot),
    refundAddress: row.refund_address,
  };
}

function readJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new StorageError(
      'The ledger holds an entry that cannot be read.',
      'Move the ledger away, or restore a copy.',
    );
  }
}

import { StorageError } from '../errors.ts';
import type { Agreement } from '../swap/agreement/agreed.ts';
import type { Environment, Swap } from '../swap/swap.ts';
import type { IntentRow } from './schema.ts';
import type { CreateIntent } from './stored-json.ts';
import { readDoubts, readIntent, readSnapshot } from './stored-json.ts';

/**
 * What became of a create: not sent yet, sent without a usable answer, answered with an order, or refused; and unknown,
 * but settled by a person.
 */
export type IntentOutcome = 'not-sent' | 'unknown' | 'created' | 'refused' | 'dismissed';

/** Whose swap it is. */
export interface Owner {
  readonly profile: string;
  readonly environment: Environment;
  /** Host of the base URL, or `built-in`. */
  readonly host: string;
  /** Path of the base URL without a slash at its end; null in what an older version wrote, which stands for any. */
  readonly path: string | null;
  /** Null for the built-in service, and in what an older version wrote; it stands for any. */
  readonly publicKey: string | null;
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
  /** The swap as last seen, but for an answer in doubt while nothing was paid: that is not believed. */
  readonly swap: Swap | null;
  /** The swap as the service first described it. */
  readonly first: Swap | null;
  /** The status farthest on the way that was ever seen. */
  readonly furthest: string | null;
  /** In what it was doubted when last seen; null where nobody has looked for doubts yet. */
  readonly doubts: readonly string[] | null;
  readonly refundAddress: string | null;
}

/** What the ledger knows to have been agreed about a swap. */
export function agreementOf({ request, first, furthest, environment }: Entry): Agreement {
  return { terms: request, first, furthest, environment };
}

/** Whether an entry was made with the service and key pair of this owner. */
export function isOwn(entry: Owner, owner: Owner): boolean {
  const same = (known: string | null, now: string | null) => known === null || known === now;
  return (
    entry.host === owner.host &&
    entry.environment === owner.environment &&
    same(entry.path, owner.path) &&
    same(entry.publicKey, owner.publicKey)
  );
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
  const first = readSnapshot(row.first_snapshot ?? null);
  if (first === undefined) throw new DamagedEntryError(row, 'the swap as first seen');
  const doubts = readDoubts(row.doubts ?? null);
  if (doubts === undefined) throw new DamagedEntryError(row, 'what is doubted');
  if (!isMoment(row.requested_at) || (row.seen_at !== null && !isMoment(row.seen_at)))
    throw new DamagedEntryError(row, 'a time');
  return {
    id: row.id,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    host: row.host,
    path: row.path ?? null,
    publicKey: row.public_key ?? null,
    idempotencyKey: row.idempotency_key,
    request,
    outcome: row.outcome as IntentOutcome,
    reason: row.reason,
    order: row.order_number,
    requestedAt: row.requested_at,
    seenAt: row.seen_at,
    swap,
    first,
    furthest: row.furthest ?? null,
    doubts,
    refundAddress: row.refund_address,
  };
}

/** Whether a number of milliseconds is a time that a date can hold. */
function isMoment(milliseconds: number): boolean {
  return !Number.isNaN(new Date(milliseconds).getTime());
}

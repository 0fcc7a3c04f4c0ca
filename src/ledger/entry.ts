import { StorageError } from '../errors.ts';
import type { Agreement } from '../swap/agreement/agreed.ts';
import type { Labels } from '../swap/labels.ts';
import type { Environment, Swap } from '../swap/swap.ts';
import type { IntentRow } from './schema.ts';
import type { CreateIntent } from './stored-json.ts';
import { readDoubts, readIntent, readLabels, readSnapshot } from './stored-json.ts';

/**
 * Outcome of a create: not sent yet, sent without a usable answer (unknown), answered with an order, refused, or
 * dismissed: unknown but settled by a person.
 */
export type IntentOutcome = 'not-sent' | 'unknown' | 'created' | 'refused' | 'dismissed';

/** Owner of a swap. */
export interface Owner {
  readonly profile: string;
  readonly environment: Environment;
  /** Host of the base URL, or `built-in`. */
  readonly host: string;
  /** Path of the base URL without a trailing slash; null in entries of older versions, which match any. */
  readonly path: string | null;
  /** Null for the built-in service, and in entries of older versions; it matches any. */
  readonly publicKey: string | null;
}

/** One line of the ledger. */
export interface Entry extends Owner {
  readonly id: string;
  readonly idempotencyKey: string | null;
  /** Null for an order that was not created by swapctl and became known through `refund`. */
  readonly request: CreateIntent | null;
  readonly outcome: IntentOutcome;
  readonly reason: string | null;
  readonly order: string | null;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly seenAt: number | null;
  /** The swap as last seen. A doubted answer is not stored here while nothing was paid. */
  readonly swap: Swap | null;
  /** The swap of the last look, where it is in doubt and has not replaced the one above. */
  readonly doubted: Swap | null;
  /** The swap as the service first described it. */
  readonly first: Swap | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** Doubts when it was last seen; null where none were looked for yet. */
  readonly doubts: readonly string[] | null;
  readonly refundAddress: string | null;
  readonly labels: Labels;
  /** When its status was last seen to change, in milliseconds since 1970. */
  readonly changedAt: number | null;
}

/** The agreement about a swap, as the ledger knows it. */
export function agreementOf({ request, first, furthest, environment }: Entry): Agreement {
  return { terms: request, first, furthest, environment };
}

/** Whether an entry belongs to this owner's service and key pair. */
export function isOwn(entry: Owner, owner: Owner): boolean {
  const same = (known: string | null, now: string | null) => known === null || known === now;
  return (
    entry.host === owner.host &&
    entry.environment === owner.environment &&
    same(entry.path, owner.path) &&
    same(entry.publicKey, owner.publicKey)
  );
}

/** A row with content that swapctl does not write: from another program, or a disk that lost bytes. */
export class DamagedEntryError extends StorageError {
  readonly id: string;

  constructor({ id, order_number: order }: Pick<IntentRow, 'id' | 'order_number'>, what: string) {
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
  const doubted = readSnapshot(row.doubted_snapshot ?? null);
  if (doubted === undefined) throw new DamagedEntryError(row, 'the swap of the last look');
  const first = readSnapshot(row.first_snapshot ?? null);
  if (first === undefined) throw new DamagedEntryError(row, 'the swap as first seen');
  const doubts = readDoubts(row.doubts ?? null);
  if (doubts === undefined) throw new DamagedEntryError(row, 'what is doubted');
  const labels = readLabels(row.labels ?? null);
  if (labels === undefined) throw new DamagedEntryError(row, 'its labels');
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
    doubted,
    first,
    furthest: row.furthest ?? null,
    doubts,
    refundAddress: row.refund_address,
    labels,
    changedAt: row.changed_at ?? null,
  };
}

/** Whether a number of milliseconds is within the range of a date. */
export function isMoment(milliseconds: number): boolean {
  return !Number.isNaN(new Date(milliseconds).getTime());
}

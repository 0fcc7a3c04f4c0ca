import type { Kysely } from 'kysely';
import { furthest } from '../swap/agreement/agreed.ts';
import { isUntouched } from '../swap/agreement/fundable.ts';
import { needOf } from '../swap/attention.ts';
import { type Changes, changesBetween } from '../swap/changes.ts';
import { pollDelay, pollStateOf, type TimeInStatus } from '../swap/polling.ts';
import type { Swap } from '../swap/swap.ts';
import { type CreateIntent, type Entry, readChanges, storedFirst } from './entry.ts';
import { recordObservation } from './events/outbox.ts';
import { addFacts } from './facts.ts';
import { storedFigures } from './report/swap-figures.ts';
import type { ChangeRow, IntentRow, LedgerSchema, Transaction } from './schema.ts';
import { searchText } from './search.ts';

/** What a poll found: the service's description of a swap, its doubts, and the time in milliseconds since 1970. */
export interface Observation {
  readonly swap: Swap;
  readonly doubts: readonly string[];
  readonly at: number;
  /** The request that may have made an order which the ledger does not have yet. */
  readonly request?: CreateIntent | null;
}

/** One recorded change of an entry. Times are milliseconds since 1970. */
export interface RecordedChange {
  readonly at: number;
  /** The last poll before it, which found no change; null for the first change. */
  readonly unchangedUntil: number | null;
  /** `create.requested`, `swap.<status>`, `swap.changed`, `swap.doubtful`, `refund_address.set`, `note.added`, `deposit.sent` or `create.<outcome>`. */
  readonly type: string;
  /** The status after the change; null if no order was known yet. */
  readonly status: string | null;
  readonly statusCode: number | null;
  readonly changes: Changes;
}

/** Maximum number of changes kept for one swap, besides those people enter. Later ones are merged into the last. */
export const MAX_CHANGES = 200;

/** Types of changes that a person wrote. */
const ENTERED = ['note.added', 'deposit.sent'] as const;
export type EnteredType = (typeof ENTERED)[number];

/** How long swaps of this pair stay in a status; null while nothing is known. */
type Learned = (status: string) => Promise<TimeInStatus | null>;

/** A new refund address in place of the entry's, what was learned, and columns of a create that is settled by it. */
interface WriteOptions {
  readonly refundAddress?: string | null | undefined;
  readonly learned?: Learned;
  readonly settled?: Partial<IntentRow>;
}

/** An observation beside what its entry has. */
function compareObservation(
  entry: Entry,
  { swap, doubts, at }: Observation,
  refundAddress = entry.refundAddress,
) {
  const kept = entry.swap !== null && isUntouched(swap) && doubts.length > 0 ? entry.swap : swap;
  const doubted = kept === swap ? null : swap;
  const before = { ...entry, swap: entry.doubted ?? entry.swap };
  const changes = changesBetween(before, { swap, doubts, refundAddress });
  const changedAt = before.swap?.statusCode === swap.statusCode ? (entry.changedAt ?? at) : at;
  const isKnown = entry.first !== null && entry.changedAt !== null && kept.order === entry.swap?.order;
  const isRecorded = Object.keys(changes).length > 0;
  const isNews = isRecorded || !isKnown || (doubted === null) !== (entry.doubted === null);
  return { kept, doubted, changes, changedAt, isRecorded, isNews };
}

/** The columns that every poll writes: its time, that of the next one, and the end of its lease. */
async function polledColumns({ swap, at }: Observation, changedAt: number, learned: Learned) {
  const next = at + pollDelay(pollStateOf(swap, changedAt), at, await learned(swap.status));
  return { seen_at: at, next_poll_at: next, poll_lease: null, poll_lease_until: 0 };
}

/** Writes that a poll found nothing new. False, and nothing written, if there is news or the row has changed since. */
export async function writeUnchanged(
  kysely: Kysely<LedgerSchema>,
  entry: Entry,
  observation: Observation,
  learned: Learned,
): Promise<boolean> {
  const { changedAt, isNews } = compareObservation(entry, observation);
  if (isNews) return false;
  const { numUpdatedRows } = await kysely
    .updateTable('intents')
    .set(await polledColumns(observation, changedAt, learned))
    .where('id', '=', entry.id)
    .where('seen_at', '=', entry.seenAt)
    .where('changes', '=', entry.changes)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Records an observation of a swap: its columns, the time of the next poll, what changed, and its events. While nothing
 * was paid, a doubted answer does not replace the known one, which a person may have copied. Returns the swap that is
 * now kept.
 */
export async function writeObservation(
  tx: Transaction,
  entry: Entry,
  observation: Observation,
  { refundAddress = entry.refundAddress, learned = async () => null, settled = {} }: WriteOptions = {},
): Promise<Entry['swap']> {
  const { swap, doubts, at } = observation;
  const { status, statusCode } = swap;
  const { kept, doubted, changes, changedAt, isRecorded, isNews } = compareObservation(
    entry,
    observation,
    refundAddress,
  );
  const first = entry.first ?? swap;
  const polled = await polledColumns(observation, changedAt, learned);
  if (!isNews) {
    await tx.updateTable('intents').set(polled).where('id', '=', entry.id).execute();
    return kept;
  }
  const recorded = entry.changes + (isRecorded ? 1 : 0);
  await tx
    .updateTable('intents')
    .set({
      ...settled,
      refund_address: refundAddress,
      changes: recorded,
      doubted_snapshot: doubted === null ? null : JSON.stringify(doubted),
      snapshot: JSON.stringify(kept),
      status_code: kept.statusCode,
      final: kept.final ? 1 : 0,
      doubts: JSON.stringify(doubts),
      furthest: furthest(entry.furthest, status),
      first_snapshot: storedFirst(first, kept),
      figures: storedFigures({ ...entry, swap: kept, first, doubts }),
      search: searchText({ ...entry, swap: kept, refundAddress }),
      troubled: kept.final && needOf({ ...kept, doubts, refundAddress }) !== null ? 1 : 0,
      changed_at: changedAt,
      ...polled,
    })
    .where('id', '=', entry.id)
    .execute();
  await addFacts(tx, { ...entry, swap: kept, doubted, first, refundAddress }, entry);
  if (isRecorded) {
    const type = changeType(changes, status);
    const change = { at, unchangedUntil: entry.seenAt, type, status, statusCode, changes };
    await recordChange(tx, entry.id, recorded, change);
  }
  await recordObservation(tx, { ...entry, refundAddress }, observation, kept === swap);
  return kept;
}

/** The type of a recorded change: the most important thing that changed. */
function changeType(changes: Changes, status: string): string {
  if ('statusCode' in changes) return `swap.${status}`;
  if ('refundAddress' in changes) return 'refund_address.set';
  return (changes['doubts']?.[1] ?? []).toString() === '' ? 'swap.changed' : 'swap.doubtful';
}

/** Records a change in its transaction; `sequence` is the counter of the entry, whose row stays locked. */
export async function recordChange(tx: Transaction, id: string, sequence: number, change: RecordedChange) {
  if (sequence > MAX_CHANGES) return mergeIntoLast(tx, id, sequence, change);
  await writeChange(tx, id, sequence, change);
}

/** {@link recordChange} for what a person wrote, which is never merged. */
export async function writeChange(tx: Transaction, id: string, sequence: number, change: RecordedChange) {
  await tx
    .insertInto('changes')
    .values({ intent_id: id, sequence, ...columnsOf(change) })
    .execute();
}

/** The changes of an entry, oldest first; a damaged one has no values. */
export async function changesOf(kysely: Kysely<LedgerSchema>, intentId: string) {
  const rows = await kysely
    .selectFrom('changes')
    .selectAll()
    .where('intent_id', '=', intentId)
    .orderBy('sequence')
    .execute();
  return rows.map(recordedChange);
}

async function mergeIntoLast(tx: Transaction, id: string, sequence: number, change: RecordedChange) {
  const row = await tx
    .selectFrom('changes')
    .selectAll()
    .where('intent_id', '=', id)
    .where('sequence', '>=', MAX_CHANGES)
    .where('type', 'not in', ENTERED)
    .executeTakeFirst();
  if (row === undefined) return writeChange(tx, id, sequence, change);
  const changes = merged(recordedChange(row).changes, change.changes);
  await tx
    .updateTable('changes')
    .set(columnsOf({ ...change, changes }))
    .where('intent_id', '=', id)
    .where('sequence', '=', row.sequence)
    .execute();
}

function merged(first: Changes, second: Changes): Changes {
  const later = Object.entries(second).map(
    ([path, [before, after]]) => [path, [first[path]?.[0] ?? before, after]] as const,
  );
  return { ...first, ...Object.fromEntries(later) };
}

function columnsOf({ at, unchangedUntil, type, status, statusCode, changes }: RecordedChange) {
  return {
    at,
    unchanged_until: unchangedUntil,
    type,
    status,
    status_code: statusCode,
    changes: JSON.stringify(changes),
  };
}

function recordedChange(row: ChangeRow): RecordedChange {
  return {
    at: row.at,
    unchangedUntil: row.unchanged_until,
    type: row.type,
    status: row.status,
    statusCode: row.status_code,
    changes: readChanges(row.changes),
  };
}

/** When entries first had one of these status codes, in milliseconds since 1970, by their ids. */
export async function firstTimes(kysely: Kysely<LedgerSchema>, codes: readonly number[]) {
  const rows = await kysely
    .selectFrom('changes')
    .select((is) => ['intent_id', is.fn.min('at').as('first')])
    .where('status_code', 'in', [...codes])
    .groupBy('intent_id')
    .execute();
  return new Map(rows.map(({ intent_id: id, first }) => [id, first]));
}

import { isAbsolute } from 'node:path';
import { StorageError } from '../../base/errors.ts';
import type { DatabaseFacts, DatabaseOptions, PageCheck } from '../database/database.ts';
import { inspectDatabase, isPostgresUrl, openDatabase } from '../database/open.ts';
import type { Policy } from '../swap/policy/policy.ts';
import { books } from './books.ts';
import { storedBuckets } from './budget/budget.ts';
import type { Owner } from './entry.ts';
import { events } from './events/events.ts';
import { health } from './health.ts';
import { LEDGER_MIGRATIONS } from './migrations.ts';
import { notes } from './notes.ts';
import { auditReads, auditWriter } from './policy/audit.ts';
import { guardChanges } from './policy/changes.ts';
import { claims } from './policy/claim.ts';
import { gate } from './policy/gate.ts';
import { granting } from './policy/granting.ts';
import { replay } from './policy/simulate.ts';
import { polls } from './polls.ts';
import { reads } from './reads.ts';
import { figures } from './report/figures.ts';
import type { LedgerSchema } from './schema.ts';
import { type Alike, rememberedTimes } from './status-times.ts';
import { createWrites, swapWrites } from './writes.ts';

/** The local record of every requested swap. All methods throw `storage_failed`. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Options of {@link openLedger}. */
export interface LedgerOptions extends Pick<DatabaseOptions, 'busyTimeout' | 'mayBeMissing'> {
  /** Who acts, as the audit chain names it. */
  readonly actor?: string;
}

const NAME = 'ledger';

export const LEDGER_VERSION = Math.max(...LEDGER_MIGRATIONS.map(({ version }) => version));

/**
 * Opens the ledger at a file path or a `postgres://` URL, and creates it if needed. `onDamaged` is called once for each
 * damaged entry that a list leaves out. With `mayBeMissing`, a file that can neither be found nor created counts as an
 * empty ledger until something is written.
 */
export async function openLedger(
  location: string,
  onDamaged: (error: StorageError) => void = () => undefined,
  { actor = 'unknown', ...options }: LedgerOptions = {},
) {
  const database = await openDatabase<LedgerSchema>(checkedLocation(location), LEDGER_MIGRATIONS, {
    ...options,
    name: NAME,
    mayOnlyRead: true,
  });
  const write = auditWriter(database, actor);
  const times = rememberedTimes();
  const through = gate(database, actor, write);
  return {
    ...createWrites(database, write),
    ...claims(database, through, write),
    ...notes(database),
    ...swapWrites(database, times),
    ...reads(database.kysely, onDamaged),
    /** Filtered reads of the whole ledger, a page at a time. */
    books: books(database.kysely, onDamaged),
    figures: figures(database.kysely, onDamaged),
    /** Events of swaps and their deliveries. */
    events: events(database),
    /** How long swaps like an entry stay in a status, from the newest 200 of its pair; null if none has left it. */
    statusTimes: (entry: Alike, status: string, at: number) => times(database.kysely, entry, status, at),
    health: health(database),
    /** Leases of open swaps to the processes that poll them. */
    polls: polls(database, onDamaged),
    /** Request budgets, one per account, shared by all processes on the ledger. */
    buckets: storedBuckets(database),
    /** Policy, stop and suspensions of accounts. */
    guards: guardChanges(database, actor, write),
    /** Replays the creates of an account under a policy, oldest first. */
    replay: (owner: Owner, policy: Policy, since: number) => replay(database.kysely, owner, policy, since),
    approvals: granting(database, actor, write),
    /** The check that creates and refund addresses must pass. */
    gate: through,
    /** The audit chain of decisions, approvals and changes. */
    audit: auditReads(database.kysely),
    close: (): Promise<void> => database.close(),
  };
}

/** Facts about the ledger, without changing or creating it. Throws StorageError if it cannot be used. */
export async function inspectLedger(location: string, pages?: PageCheck): Promise<DatabaseFacts> {
  return inspectDatabase(checkedLocation(location), LEDGER_MIGRATIONS, NAME, pages);
}

/** Refuses relative paths and `:memory:`: with a ledger for each folder, one idempotency key could create two orders. */
function checkedLocation(location: string): string {
  if (isPostgresUrl(location) || isAbsolute(location)) return location;
  throw new StorageError(
    /^[a-z][a-z0-9+.-]+:\/\//i.test(location)
      ? 'The ledger must be a file path or a postgres:// URL.'
      : 'The path of the ledger must be absolute.',
    'Set SWAPCTL_LEDGER to a path such as /home/me/ledger.db, or unset it.',
  );
}

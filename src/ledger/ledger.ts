import { isAbsolute } from 'node:path';
import type { DatabaseFacts, DatabaseOptions } from '../database/database.ts';
import { inspectDatabase, isPostgresUrl, openDatabase } from '../database/open.ts';
import { StorageError } from '../errors.ts';
import { books } from './books.ts';
import { storedBuckets } from './budget/budget.ts';
import { events } from './events/events.ts';
import { polls } from './polls.ts';
import { reads } from './reads.ts';
import { figures } from './report/figures.ts';
import { LEDGER_MIGRATIONS, type LedgerSchema } from './schema.ts';
import { createWrites, swapWrites } from './writes.ts';

/** The local record of every requested swap. All methods throw `storage_failed`. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Name of the database in messages. */
const NAME = 'ledger';

/** Version of a new ledger. */
export const LEDGER_VERSION = Math.max(...LEDGER_MIGRATIONS.map(({ version }) => version));

/**
 * Opens the ledger at a file path or a `postgres://` URL, and creates it if needed. `onDamaged` is called once for each
 * damaged entry that a list leaves out. With `mayBeMissing`, a file that can neither be found nor created counts as an
 * empty ledger until something is written.
 */
export async function openLedger(
  location: string,
  onDamaged: (error: StorageError) => void = () => undefined,
  options: Pick<DatabaseOptions, 'busyTimeout' | 'mayBeMissing'> = {},
) {
  const database = await openDatabase<LedgerSchema>(checkedLocation(location), LEDGER_MIGRATIONS, {
    ...options,
    name: NAME,
    mayOnlyRead: true,
  });
  return {
    ...createWrites(database),
    ...swapWrites(database),
    ...reads(database.kysely, onDamaged),
    /** Filtered reads of the whole ledger, a page at a time. */
    books: books(database.kysely, onDamaged),
    /** The figures that reports add up. */
    figures: figures(database.kysely, onDamaged),
    /** Events of swaps and their deliveries. */
    events: events(database),
    /** Leases of open swaps to the processes that poll them. */
    polls: polls(database, onDamaged),
    /** Request budgets, one per account, shared by all processes on the ledger. */
    buckets: storedBuckets(database),
    close: (): Promise<void> => database.close(),
  };
}

/** Facts about the ledger, without changing or creating it. Throws StorageError if it cannot be used. */
export async function inspectLedger(location: string): Promise<DatabaseFacts> {
  return inspectDatabase(checkedLocation(location), LEDGER_MIGRATIONS, NAME);
}

/**
 * Refuses relative paths and names that SQLite does not treat as files, such as `:memory:`: each working directory would
 * have its own ledger, and one idempotency key could create a second order.
 */
function checkedLocation(location: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
  if (isPostgresUrl(location) || (!isUrl && isAbsolute(location))) return location;
  throw new StorageError(
    isUrl
      ? 'The ledger must be a file path or a postgres:// URL.'
      : 'The path of the ledger must be absolute.',
    'Set SWAPCTL_LEDGER to a path such as /home/me/ledger.db, or unset it.',
  );
}

import { isAbsolute } from 'node:path';
import type { DatabaseFacts, DatabaseOptions } from '../database/database.ts';
import { isPostgresUrl, lookAtDatabase, openDatabase } from '../database/open.ts';
import { StorageError } from '../errors.ts';
import { books } from './books.ts';
import { storedBuckets } from './budget/stored-bucket.ts';
import { events } from './events/events.ts';
import { intentWrites } from './intent-writes.ts';
import type { Ledger } from './ledger.ts';
import { LEDGER_MIGRATIONS } from './migrations.ts';
import { polls } from './polls.ts';
import { reads } from './reads.ts';
import { figures } from './report/figures.ts';
import type { LedgerSchema } from './schema.ts';
import { swapWrites } from './swap-writes.ts';

/**
 * Opens the ledger at a file path or a `postgres://` URL, and creates it if needed. `onDamaged` is called for each
 * unreadable entry that a list leaves out. With `mayBeMissing`, a file that can neither be found nor created is an empty
 * ledger, until something is to be written.
 */
export async function openLedger(
  location: string,
  onDamaged: (error: StorageError) => void = () => undefined,
  options: Pick<DatabaseOptions, 'busyTimeout' | 'mayBeMissing'> = {},
): Promise<Ledger> {
  const database = await openDatabase<LedgerSchema>(placeOf(location), LEDGER_MIGRATIONS, {
    ...options,
    ...{ name: NAME, mayOnlyRead: true },
  });
  return {
    ...intentWrites(database),
    ...swapWrites(database),
    ...reads(database.kysely, onDamaged),
    books: books(database.kysely, onDamaged),
    figures: figures(database.kysely, onDamaged),
    events: events(database),
    polls: polls(database, onDamaged),
    buckets: storedBuckets(database),
    close: () => database.close(),
  };
}

const NAME = 'ledger';

/** Looks at the ledger without changing or creating it; throws StorageError for one that cannot be used. */
export async function lookAtLedger(location: string): Promise<DatabaseFacts> {
  return lookAtDatabase(placeOf(location), LEDGER_MIGRATIONS, NAME);
}

/** Version that a new ledger has. */
export const LEDGER_VERSION = Math.max(...LEDGER_MIGRATIONS.map(({ version }) => version));

function placeOf(location: string): string {
  return isPostgresUrl(location) ? location : filePath(location);
}

/**
 * Refuses relative paths and names that SQLite does not take for files, such as `:memory:`: every working directory
 * would have a ledger of its own, and one idempotency key could create a second order.
 */
function filePath(location: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
  if (!isUrl && isAbsolute(location)) return location;
  throw new StorageError(
    isUrl
      ? 'The ledger must be a file path or a postgres:// URL.'
      : 'The path of the ledger must be absolute.',
    'Set SWAPCTL_LEDGER to a path such as /home/me/ledger.db, or unset it.',
  );
}

import { StorageError, UsageError } from '../../base/errors.ts';
import type {
  Database,
  DatabaseFacts,
  DatabaseLocation,
  DatabaseOptions,
  Migration,
  PageCheck,
} from './database.ts';
import { dueMigrations, InMemory } from './database.ts';

/** Whether a location names a PostgreSQL server instead of a file. */
export function isPostgresUrl(location: DatabaseLocation): location is string {
  return typeof location === 'string' && /^postgres(?:ql)?:\/\//i.test(location);
}

/**
 * Opens a database and brings its schema up to date. A file and its folder are created for the owner alone. Throws
 * StorageError for one that cannot be used: unreachable, damaged, empty, readable by others, of another program or of a
 * newer swapctl.
 */
export async function openDatabase<Schema>(
  location: DatabaseLocation,
  migrations: readonly Migration[],
  options: DatabaseOptions = {},
): Promise<Database<Schema>> {
  if (isPostgresUrl(location)) return (await postgres()).openPostgres<Schema>(location, migrations, options);
  const inMemory = location instanceof InMemory;
  if (!inMemory && /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new UsageError(
      'A database must be a file or a postgres:// URL.',
      'Use a file path, or a URL such as postgres://user@host/name.',
    );
  }
  if (!inMemory) refuseLongPath(location);
  const { openSqlite, openSqliteInMemory } = await import('./sqlite/sqlite.ts');
  return inMemory
    ? openSqliteInMemory<Schema>(location, migrations, options)
    : openSqlite<Schema>(location, migrations, options);
}

/** The driver is loaded only if it is needed. */
const postgres = () => import('./postgres/postgres.ts');

/** Facts about a database, without a change. Throws StorageError for one that {@link openDatabase} could not use. */
export async function inspectDatabase(
  location: string,
  migrations: readonly Migration[],
  name: string,
  pages: PageCheck = 'none',
): Promise<DatabaseFacts> {
  const facts = await inspect(location, name, pages);
  dueMigrations(migrations, facts.version ?? 0, facts.displayName);
  return facts;
}

async function inspect(location: string, name: string, pages: PageCheck): Promise<DatabaseFacts> {
  if (isPostgresUrl(location)) return (await postgres()).inspectPostgres(location, name);
  refuseLongPath(location);
  const { inspectSqlite } = await import('./sqlite/read-only.ts');
  return inspectSqlite(location, name, pages);
}

/** No system takes a longer path, in characters. */
const MAX_PATH = 4096;

function refuseLongPath(location: string): void {
  if (location.length <= MAX_PATH) return;
  throw new StorageError(
    `The path of the database is longer than ${MAX_PATH} characters.`,
    'Use another file.',
  );
}

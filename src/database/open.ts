import { REINSTALL, StorageError, UsageError } from '../errors.ts';
import type { Database, DatabaseFacts, DatabaseOptions, Migration } from './database.ts';
import { dueMigrations } from './migrations.ts';

/** Whether a location names a PostgreSQL server instead of a file. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location);
}

/**
 * Opens a database and brings its schema up to date. `location` is a file path or a `postgres://` URL; a file
 * and its folder are created for the owner alone. Throws StorageError for one that cannot be used: unreachable,
 * damaged, empty, readable by others, of another program or of a newer swapctl.
 */
export async function openDatabase<Schema>(
  location: string,
  migrations: readonly Migration[],
  options: DatabaseOptions = {},
): Promise<Database<Schema>> {
  if (isPostgresUrl(location)) {
    const { openPostgres } = await import('./postgres/postgres.ts');
    return openPostgres<Schema>(location, migrations, options);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new UsageError(
      'A database is a file or a postgres:// URL.',
      'Write the path of a file, or postgres://user@host/name.',
    );
  }
  const { openSqlite } = await nativePart(() => import('./sqlite/sqlite.ts'));
  return openSqlite<Schema>(location, migrations, options);
}

/**
 * Looks at a database without creating, migrating or changing it. Throws StorageError for one that {@link openDatabase}
 * could not use.
 */
export async function lookAtDatabase(
  location: string,
  migrations: readonly Migration[],
  name: string,
): Promise<DatabaseFacts> {
  const facts = await lookAt(location, name);
  dueMigrations(migrations, facts.version ?? 0, facts.place);
  return facts;
}

async function lookAt(location: string, name: string): Promise<DatabaseFacts> {
  if (isPostgresUrl(location)) {
    const { lookAtPostgres } = await import('./postgres/postgres.ts');
    return lookAtPostgres(location, name);
  }
  const { lookAtSqlite } = await nativePart(() => import('./sqlite/look.ts'));
  return lookAtSqlite(location, name);
}

/**
 * Loads the code that needs SQLite's native binary, which is built per platform and may be missing. Throws
 * StorageError.
 */
async function nativePart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('\n') : ['unknown reason'];
    throw new StorageError(`The program is not complete: SQLite cannot be loaded (${reason}).`, REINSTALL);
  }
}

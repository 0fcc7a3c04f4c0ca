import { UsageError } from '../errors.ts';
import type { Database, DatabaseOptions, Migration } from './database.ts';
import { inspectSqliteFile, throughLink } from './sqlite-file.ts';

/** Whether a location names a PostgreSQL server and not a file. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(location);
}

/** Throws StorageError for a database file that must not be used, without opening it; a server is not asked. */
export function checkDatabaseFile(location: string): void {
  if (!isPostgresUrl(location)) inspectSqliteFile(throughLink(location));
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
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres<Schema>(location, migrations, options);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new UsageError(
      'A database is a file or a postgres:// URL.',
      'Write the path of a file, or postgres://user@host/name.',
    );
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite<Schema>(location, migrations, options);
}

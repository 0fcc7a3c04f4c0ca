import { StorageError } from '../errors.ts';
import type { Migration } from './database.ts';

/** Default name of a schema. */
export const DEFAULT_SCHEMA_NAME = 'main';

/** Table with the version of every schema in a database. */
export const VERSION_TABLE = `create table if not exists swapctl_schema (name text not null primary key, version bigint not null)`;

/**
 * The migrations that a schema at `version` still needs, in order. Throws StorageError for a version newer than the
 * last migration.
 */
export function dueMigrations(
  migrations: readonly Migration[],
  version: number,
  place: string,
): readonly Migration[] {
  const ordered = [...migrations].sort((a, b) => a.version - b.version);
  const newest = ordered.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new StorageError(
      `The database ${place} was written by a newer swapctl (schema ${version}, this one knows ${newest}).`,
      'Update swapctl, or name another database.',
    );
  }
  return ordered.filter((migration) => migration.version > version);
}

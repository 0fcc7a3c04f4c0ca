import { StorageError } from '../../errors.ts';
import type { DatabaseFacts } from '../database.ts';
import { NEVER_OVERWRITTEN } from '../failures.ts';
import { inspectSqliteFile, throughLink } from './file.ts';
import { schemaVersion } from './migrations.ts';
import { openUnchanged } from './read-only.ts';

/**
 * Looks at a SQLite file without changing it: its schema's version, and whether SQLite finds its pages in order. Throws
 * StorageError for a file that cannot be used.
 */
export function lookAtSqlite(named: string, name: string): DatabaseFacts {
  const path = throughLink(named);
  const found = inspectSqliteFile(path);
  if (found === 'nothing') return { kind: 'sqlite', place: path, version: null };
  if (found === 'empty file') {
    throw new StorageError(`The database ${path} is damaged: it is empty.`, NEVER_OVERWRITTEN);
  }
  const { connection, forget } = openUnchanged(path);
  try {
    const version = schemaVersion(connection, path, name);
    const [page] = connection.run('pragma quick_check(1)').rows as { quick_check?: string }[];
    if (page?.quick_check !== 'ok') {
      throw new StorageError(`The database ${path} is damaged.`, NEVER_OVERWRITTEN);
    }
    return { kind: 'sqlite', place: path, version };
  } finally {
    connection.close();
    forget();
  }
}

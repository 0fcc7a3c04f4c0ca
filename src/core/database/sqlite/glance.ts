import { statSync } from 'node:fs';
import { SqliteConnection, sqliteUri } from './connection.ts';

/**
 * Quick, read-only access to the rows of a SQLite file: nothing is created, migrated, locked or waited for. Throws
 * where the file, or its schema, is not as expected.
 */
export function glance(path: string, sql: string, parameters: readonly unknown[]): readonly unknown[] {
  // A log is there while others have the file open; without one there is nothing to lock against.
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const how = log > 0 ? 'mode=ro' : 'mode=ro&immutable=1';
  const connection = new SqliteConnection(path, 0, sqliteUri(path, how));
  try {
    return connection.run(sql, parameters).rows;
  } finally {
    connection.close();
  }
}

import { sqliteErrorCode, translateFailure } from '../failures.ts';
import { sqliteUri } from './connection.ts';
import { DatabaseSync } from './engine.ts';

/**
 * Kind of a file, as SQLite sees it: a database with our tables or without any, one of another program, a damaged one,
 * or none.
 */
export type FileKind = 'ours' | 'foreign' | 'damaged' | 'no database';

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/**
 * Identifies a database file without locking it, reading its log or changing it. SQLite has to read it: on POSIX
 * systems a process that closes any handle of a file loses all its locks on it (fcntl(2)), those of an open database as
 * well, and only SQLite knows which of its handles must stay open. Throws StorageError where the file cannot be read.
 */
export function identifyFile(path: string): FileKind {
  const tables: unknown[] = [];
  try {
    // The log is ignored: it cannot turn a foreign database into ours.
    const database = new DatabaseSync(sqliteUri(path, 'mode=ro&immutable=1'), { readOnly: true });
    try {
      // No prepared statement: it would keep the file open until it is garbage-collected.
      database.function('swapctl_seen', (name: unknown) => {
        tables.push(name);
        return null;
      });
      database.exec(`select swapctl_seen(name) from sqlite_master where type = 'table'`);
    } finally {
      database.close();
    }
  } catch (error) {
    const code = sqliteErrorCode(error);
    if (code === CORRUPT) return 'damaged';
    if (code === NOT_A_DATABASE) return 'no database';
    throw translateFailure(error, path);
  }
  return tables.length === 0 || tables.includes('swapctl_schema') ? 'ours' : 'foreign';
}

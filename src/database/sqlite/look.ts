import { DatabaseSync } from '@photostructure/sqlite';
import { sqliteErrorCode, translateFailure } from '../failures.ts';
import { sqliteUri } from './connection.ts';

/** What SQLite makes of a file: a database with our tables or none yet, one of another program, or none at all. */
export type Sight = 'ours' | 'foreign' | 'damaged' | 'no database';

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/**
 * Looks at a database file without a lock, its log or a change. It is SQLite that looks: on POSIX systems a process
 * that closes any handle of a file loses all its locks on it (fcntl(2)), those of an open database as well, and SQLite
 * alone knows which of its handles must stay. Throws StorageError where the file cannot be read.
 */
export function lookInto(path: string): Sight {
  const tables: unknown[] = [];
  try {
    // The log is left aside: what is in it cannot make a foreign database ours.
    const database = new DatabaseSync(sqliteUri(path, 'mode=ro&immutable=1'), { readOnly: true });
    try {
      // No prepared statement: the file would stay open until that is collected.
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

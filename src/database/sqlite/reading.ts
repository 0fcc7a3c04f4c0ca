import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../../errors.ts';
import type { Migration } from '../database.ts';
import { SqliteConnection, sqliteUri } from './connection.ts';
import { dueSqliteMigrations } from './migrations.ts';

/** A connection that only reads, and what to do once it is closed. */
export interface ReadingConnection {
  readonly connection: SqliteConnection;
  forget(): void;
}

/**
 * Opens a database for reading alone, where its disk is full or takes no writes: SQLite's usual way would make files
 * beside it. Undefined where that is not possible either, or where its schema would have to be changed first.
 */
export function openForReading(
  path: string,
  name: string,
  migrations: readonly Migration[],
): ReadingConnection | undefined {
  let copy: string | undefined;
  const forget = () => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  };
  let connection: SqliteConnection | undefined;
  try {
    if (hasLog(path)) copy = copyWithLog(path);
    connection =
      copy === undefined
        ? new SqliteConnection(path, 0, sqliteUri(path, 'mode=ro&immutable=1'))
        : new SqliteConnection(join(copy, COPY), 0);
    if (dueSqliteMigrations(connection, path, name, migrations).length === 0) return { connection, forget };
  } catch (error) {
    if (!(error instanceof StorageError) && !isSystemError(error)) throw error;
  }
  connection?.close();
  forget();
  return undefined;
}

const COPY = 'copy.db';

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** What is in the log alone is read from a copy of both, for the owner's eyes alone and gone afterwards. */
function copyWithLog(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-'));
  try {
    const pairs = ['', '-wal'].map((ending) => [`${path}${ending}`, join(folder, `${COPY}${ending}`)]);
    const program = `for (const pair of ${JSON.stringify(pairs)}) require('node:fs').copyFileSync(...pair);`;
    // In a process of its own: closing the file here would drop the locks of whatever has it open, see `lookInto`.
    execFileSync(process.execPath, ['-e', program], { env: {}, stdio: 'ignore' });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** An error of the system, or of the process that copies. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || 'status' in error);
}

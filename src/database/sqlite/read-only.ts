import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../../errors.ts';
import type { Migration } from '../database.ts';
import { SqliteConnection, sqliteUri } from './connection.ts';
import { dueSqliteMigrations } from './migrations.ts';

/** A connection that only reads, and the cleanup after it is closed. */
export interface ReadOnlyConnection {
  readonly connection: SqliteConnection;
  forget(): void;
}

/**
 * Opens a database for reading only, for a full or read-only disk: SQLite's normal way would create files beside it.
 * Undefined where that is not possible either, or where the schema would have to be migrated first.
 */
export function openReadOnly(
  path: string,
  name: string,
  migrations: readonly Migration[],
): ReadOnlyConnection | undefined {
  let opened: ReadOnlyConnection | undefined;
  try {
    opened = openUnchanged(path);
    if (dueSqliteMigrations(opened.connection, path, name, migrations).length === 0) return opened;
  } catch (error) {
    if (!(error instanceof StorageError) && !isSystemError(error)) throw error;
  }
  opened?.connection.close();
  opened?.forget();
  return undefined;
}

/** Opens a database as it stands, its log included, without a change to it or to its folder. */
export function openUnchanged(path: string): ReadOnlyConnection {
  const copy = hasLog(path) ? copyWithLog(path) : undefined;
  const forget = () => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  };
  try {
    const connection =
      copy === undefined
        ? new SqliteConnection(path, 0, sqliteUri(path, 'mode=ro&immutable=1'))
        : new SqliteConnection(join(copy, COPY), 0);
    return { connection, forget };
  } catch (error) {
    forget();
    throw error;
  }
}

const COPY = 'copy.db';

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Copies the file and its log, which may hold newer data, into a private folder that is removed afterwards. */
function copyWithLog(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-'));
  try {
    const pairs = ['', '-wal'].map((ending) => [`${path}${ending}`, join(folder, `${COPY}${ending}`)]);
    const program = `for (const pair of ${JSON.stringify(pairs)}) require('node:fs').copyFileSync(...pair);`;
    // In a process of its own: closing the file in this one would drop the locks of an open database, see
    // `identifyFile`.
    execFileSync(process.execPath, ['-e', program], { env: {}, stdio: 'ignore' });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Whether an error is the system's, or the copying process's. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || 'status' in error);
}

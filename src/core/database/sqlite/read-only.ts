import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StorageError } from '../../../base/errors.ts';
import type { DatabaseFacts, PageCheck, SchemaTarget } from '../database.ts';
import { NEVER_OVERWRITTEN } from '../failures.ts';
import { SqliteConnection, sqliteUri, walBytes } from './connection.ts';
import { inspectSqliteFile, throughLink } from './file.ts';
import { dueSqliteMigrations, schemaVersion } from './migrations.ts';

/** A connection that only reads, and the cleanup after it is closed. */
export interface ReadOnlyConnection {
  readonly connection: SqliteConnection;
  forget(): void;
}

/** Opens a database for reading, without files beside it; undefined if it cannot be read, or needs a migration first. */
export function openReadOnly(target: SchemaTarget) {
  let opened: ReadOnlyConnection | undefined;
  try {
    opened = openUnchanged(target.displayName);
    if (dueSqliteMigrations(opened.connection, target).length === 0) return opened;
  } catch (error) {
    // An error of the system has a syscall, one of the process that copies a status.
    const isSystems = error instanceof Error && ('syscall' in error || 'status' in error);
    if (!isSystems && !(error instanceof StorageError)) throw error;
  }
  opened?.connection.close();
  opened?.forget();
  return undefined;
}

/** Opens a database as it is, its log included, without a change to it or to its folder. */
function openUnchanged(path: string): ReadOnlyConnection {
  const copy = walBytes(path) > 0 ? copyWithLog(path) : undefined;
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

/** Copies the file and its log, which may hold newer data, into a private folder that is removed afterwards. */
function copyWithLog(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-'));
  try {
    copyInto(folder, [path, `${path}-wal`]);
    const [copy, copied] = [join(folder, COPY), join(folder, basename(path))];
    for (const ending of ['', '-wal']) renameSync(`${copied}${ending}`, `${copy}${ending}`);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Copies files in a process of its own: closing them here would drop an open database's locks, except on Windows. */
function copyInto(folder: string, paths: readonly string[]): void {
  if (platform() === 'win32') for (const path of paths) copyFileSync(path, join(folder, basename(path)));
  else execFileSync('cp', ['--', ...paths, folder], { stdio: 'ignore' });
}

/** The largest file whose pages a quick check reads, in bytes: it takes a third of a second. */
const MAX_QUICK_BYTES = 100 * 2 ** 20;

/** Facts about a SQLite file and its pages, without a change to it. Throws StorageError for one that cannot be used. */
export function inspectSqlite(named: string, name: string, pages: PageCheck): DatabaseFacts {
  const path = throughLink(named);
  const found = inspectSqliteFile(path);
  if (found === 'nothing') return { kind: 'sqlite', displayName: path, version: null, denied: null };
  if (found === 'empty file')
    throw new StorageError(`The database ${path} is damaged: it is empty.`, NEVER_OVERWRITTEN);
  const { connection, forget } = openUnchanged(path);
  try {
    const version = schemaVersion(connection, path, name);
    const unchecked = pages === 'quick' && statSync(path).size > MAX_QUICK_BYTES;
    if (pages !== 'none' && !unchecked) refuseDamaged(connection, path);
    return { kind: 'sqlite', displayName: path, version, denied: null, unchecked };
  } finally {
    connection.close();
    forget();
  }
}

function refuseDamaged(connection: SqliteConnection, path: string): void {
  const [page] = connection.run('pragma quick_check(1)').rows as { quick_check?: string }[];
  if (page?.quick_check === 'ok') return;
  throw new StorageError(`The database ${path} is damaged.`, NEVER_OVERWRITTEN);
}

import { closeSync, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StorageError } from '../../../base/errors.ts';
import { NotPrivateError, opennessOf, requirePrivate, systemCode } from '../../../base/files.ts';
import { foreignDatabase, NEVER_OVERWRITTEN, sqliteErrorCode, translateFailure } from '../failures.ts';
import { DatabaseSync, sqliteUri, walBytes } from './connection.ts';
import { sweepTemporaryFiles } from './create.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

type Found = 'nothing' | 'empty file' | 'database';

/**
 * Inspects a database file without changing it. Throws StorageError for a file that must not be used: readable by others
 * (with the chmod that fixes one of ours), truncated, of another program, no database, or gone while its log is there.
 */
export function inspectSqliteFile(path: string): Found {
  try {
    return inspect(path);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    // Below a file nothing is found: HOME=/dev/null of a service user. Creating the database says so.
    if (systemCode(error) === 'ENOTDIR') return 'nothing';
    throw new StorageError(
      `The database ${path} could not be read: ${systemCode(error) ?? 'unknown reason'}.`,
    );
  }
}

/** Resolves a link to the file: SQLite keeps the log beside the file, not beside the link. */
export function throughLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  } catch {
    // Missing, or a broken link, which `inspectSqliteFile` refuses.
    return path;
  }
}

function inspect(path: string): Found {
  // Checked first: while another process creates the database, its log appears after its file.
  const hasLog = walBytes(path) > 0;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    rejectLostDatabase(path, hasLog);
    requirePrivateFolder(dirname(path));
    return 'nothing';
  }
  // Reading a pipe would wait for a writer.
  if (!found.isFile()) throw new StorageError(`The database ${path} is not a file.`, NAME_ANOTHER);
  // A temporary file is still linked to it: its process was killed just before removing it.
  if (found.nlink > 1) sweepTemporaryFiles(path);
  if (found.size === 0) {
    refuseOpenEmptyFile(path, found);
    return 'empty file';
  }
  // Before its permissions: changing those of a file that is not ours would break what it belongs to.
  refuseUnusable(path);
  requirePrivateFolder(dirname(path));
  for (const each of [path, `${path}-wal`, `${path}-shm`]) requireOwn(each, 'file');
  return 'database';
}

const NAME_ANOTHER = 'Use another file, such as one that does not exist yet; swapctl creates it.';

/** Refuses an empty file of another user, or one that others can read: nothing says that it is ours. */
function refuseOpenEmptyFile(path: string, found: Stats): void {
  const [name, exposed] = [`The empty file ${path}`, `Others can read the empty file ${path}.`];
  const open = opennessOf(path, found, { kind: 'file', name, exposed });
  if (open !== null) throw new NotPrivateError(path, open.message, NAME_ANOTHER);
}

/** Refuses a file or folder that others can read; a missing one is fine. */
function requireOwn(path: string, kind: 'file' | 'folder'): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const what = kind === 'file' ? 'database' : 'folder';
  const words = { kind, name: `The ${what} ${path}`, exposed: `Other users can read the ${what} ${path}.` };
  if (found !== undefined) requirePrivate(path, found, words);
}

/** Refuses the program's own folder if others can read it; a folder that a person names may be shared. */
function requirePrivateFolder(folder: string): void {
  if (basename(folder) === 'swapctl') requireOwn(folder, 'folder');
}

/** Refuses to create a database at a broken link, or beside a log whose database was moved away. */
function rejectLostDatabase(path: string, hasLog: boolean): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new StorageError(
      `The database ${path} is a broken link.`,
      'Restore the file, or remove the link to start with a new one.',
    );
  }
  if (!hasLog) return;
  throw new StorageError(
    `The database ${path} is missing, but its log ${path}-wal exists.`,
    'Restore the database, or move the log away to start with a new one.',
  );
}

/** Refuses a file that is not a database of ours before anything is written to it. */
function refuseUnusable(path: string): void {
  const kind = identifyFile(path);
  if (kind === 'ours') return;
  if (kind === 'foreign') throw foreignDatabase(path);
  // Pages missing from the file may still be in its log, which `identifyFile` ignores.
  if (kind === 'damaged' && walBytes(path) > 0) return;
  // SQLite cannot open this file, so no open database of this process loses its locks when this handle closes.
  const header = readHeader(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new StorageError(`The file ${path} is not a database.`, NAME_ANOTHER);
  const isWhole = header.length === HEADER_BYTES && statedBytes(header) <= statSync(path).size;
  // Other damage is reported by SQLite when it opens the file.
  if (isWhole) return;
  throw new StorageError(`The database ${path} is damaged: its end is missing.`, NEVER_OVERWRITTEN);
}

/** File size in the header, zero if the header says that it is out of date. */
function statedBytes(header: Buffer): number {
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return 0;
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/**
 * Identifies a database file, `ours` also without any tables, without locking it, reading its log or changing it. SQLite
 * has to read it: on POSIX systems a process that closes any handle of a file loses all its locks on it (fcntl(2)), those of
 * an open database as well, and only SQLite knows which must stay open. Throws StorageError for an unreadable file.
 */
function identifyFile(path: string): 'ours' | 'foreign' | 'damaged' | 'no database' {
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

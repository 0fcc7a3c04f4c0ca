import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StorageError } from '../../errors.ts';
import { requirePrivate, systemCode } from '../../files.ts';
import { foreignDatabase, NEVER_OVERWRITTEN } from '../failures.ts';
import { lookInto } from './look.ts';
import { sweepTemporaryFiles } from './temp-file.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** What is found where a database is wanted. */
type Found = 'nothing' | 'empty file' | 'database';

/**
 * Looks at a database file without changing it. Throws StorageError for one that must not be used: one that others can
 * read, with the chmod that mends it, one that is cut off, another program's or no database, and one of which only the
 * log is left.
 */
export function inspectSqliteFile(path: string): Found {
  try {
    return inspect(path);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`The database ${path} could not be read: ${systemReason(error)}.`);
  }
}

/** The file itself where a path is a link to it: SQLite keeps the log beside the file, not beside the link. */
export function throughLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  } catch {
    // Nothing there yet, or a link to nothing, which `inspectSqliteFile` refuses.
    return path;
  }
}

/** Code of a system's error, for people. */
export function systemReason(error: unknown): string {
  return systemCode(error) ?? 'unknown reason';
}

function inspect(path: string): Found {
  requirePrivateFolder(dirname(path));
  // Looked for first: while another process begins the database, its log comes after its file.
  const hasLog = logBytes(path) > 0;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    refuseLost(path, hasLog);
    return 'nothing';
  }
  for (const each of [path, `${path}-wal`, `${path}-shm`]) requirePrivateFile(each);
  // Reading a pipe would wait for somebody to write to it.
  if (!found.isFile()) throw new StorageError(`The database ${path} is not a file.`);
  // A draft is still linked to the file: its maker was killed in the last moment.
  if (found.nlink > 1) sweepTemporaryFiles(path);
  if (found.size === 0) return 'empty file';
  refuseUnusable(path);
  return 'database';
}

/** Refuses a file that others can read; a missing one is fine. */
function requirePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  requirePrivate(path, found, {
    kind: 'file',
    name: `The database ${path}`,
    exposed: `Other users can read the database ${path}.`,
  });
}

/** Refuses the program's own folder where others can look into it; one that a person names may well be shared. */
function requirePrivateFolder(folder: string): void {
  const found = basename(folder) === 'swapctl' ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  if (found === undefined) return;
  requirePrivate(folder, found, {
    kind: 'folder',
    name: `The folder ${folder}`,
    exposed: `Other users can look into ${folder}.`,
  });
}

/** What was moved away in part, or lies on a disk that is not there, must not be begun anew. */
function refuseLost(path: string, hasLog: boolean): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new StorageError(
      `The database ${path} is a link to a file that is not there.`,
      'Bring the file back, or remove the link to start a new one.',
    );
  }
  if (!hasLog) return;
  throw new StorageError(
    `The database ${path} is missing, but its log ${path}-wal is there.`,
    'Bring the database back, or move the log away to start a new one.',
  );
}

/** Refuses what is no database of ours before anything is written to it: other programs' files stay as they are. */
function refuseUnusable(path: string): void {
  const sight = lookInto(path);
  if (sight === 'ours') return;
  if (sight === 'foreign') throw foreignDatabase(path);
  // Pages that are not in the file yet may still be in its log, which a look leaves aside.
  if (sight === 'damaged' && logBytes(path) > 0) return;
  // SQLite has no use for the file as it is, so no open database of ours loses its locks to this handle.
  const header = readHeader(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new StorageError(`The file ${path} is not a database.`, NEVER_OVERWRITTEN);
  }
  const isWhole = header.length === HEADER_BYTES && statedBytes(header) <= statSync(path).size;
  // What else is wrong with it, SQLite tells when it opens the file.
  if (isWhole) return;
  throw new StorageError(`The database ${path} is damaged: its end is missing.`, NEVER_OVERWRITTEN);
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Size that the header claims, zero where the header itself says that the claim is out of date. */
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

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname } from 'node:path';
import { StorageError } from '../errors.ts';
import { makePrivateFolder } from '../folder.ts';

const FILE_MODE = 0o600;
const OTHERS = 0o077;
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * Makes a database file ready to be opened: a missing one is created for its owner alone, one that others
 * can read is refused with the chmod that mends it, and so is one that is cut off or no database.
 */
export function prepareSqliteFile(path: string): void {
  refuseOpenFolder(dirname(path));
  if (existsSync(path)) {
    for (const each of [path, `${path}-wal`, `${path}-shm`]) refuseOpenFile(each);
    refuseForeignFile(path);
    return;
  }
  try {
    makePrivateFolder(dirname(path));
    // 'a' and not 'wx': another process may create the file at the same moment, and that is fine.
    closeSync(openSync(path, 'a', FILE_MODE));
  } catch (error) {
    throw new StorageError(`The database ${path} could not be created: ${reason(error)}.`);
  }
}

/** The program's own folder is nobody else's; one that a person names for a database may well be shared. */
function refuseOpenFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (basename(folder) !== 'swapctl' || found === undefined || platform() === 'win32') return;
  if ((found.mode & OTHERS) === 0) return;
  throw new StorageError(`Other users can look into ${folder}.`, `Run: chmod 700 ${shellWord(folder)}`);
}

function refuseOpenFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || platform() === 'win32' || (found.mode & OTHERS) === 0) return;
  throw new StorageError(`Other users can read the database ${path}.`, `Run: chmod 600 ${shellWord(path)}`);
}

function refuseForeignFile(path: string): void {
  const header = readHeader(path);
  if (header.length === 0) return;
  const hint = 'swapctl never overwrites it; move it away to start a new one.';
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new StorageError(`The file ${path} is not a database.`, hint);
  }
  if (header.length === HEADER_BYTES && statedBytes(header) <= statSync(path).size) return;
  // Pages that are not in the file yet may still be in its log.
  if (header.length === HEADER_BYTES && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return;
  throw new StorageError(`The database ${path} is damaged: its end is missing.`, hint);
}

/** Size that the header claims, zero where the header itself says that the claim is out of date. */
function statedBytes(header: Buffer): number {
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return 0;
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new StorageError(`The database ${path} could not be read: ${reason(error)}.`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

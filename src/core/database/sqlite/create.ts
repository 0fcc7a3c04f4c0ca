import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, systemCode } from '../../../base/files.ts';
import { translateFailure, UncreatableError } from '../failures.ts';
import { DatabaseSync, sqliteUri } from './connection.ts';

const FILE_MODE = 0o600;
/** No side files to clean up, and one flush at the end. With pages of 8 KiB, a million swaps take a quarter less. */
const TEMPORARY_PRAGMAS =
  'pragma page_size = 8192; pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off';

/**
 * Creates a database file under a temporary name and moves it to its path once it is complete, with its tables. So an
 * empty file at the path is always a truncated one, whichever process was killed when. Of several processes that create
 * the file at once one succeeds, and all of them may use it. Throws StorageError.
 */
export function createSqliteFile(path: string, script: string): void {
  const temporary = `${path}${MARK}${randomBytes(8).toString('hex')}`;
  try {
    makePrivateFolder(dirname(path));
    writeTemporaryFile(temporary, script);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    moveIntoPlace(temporary, path);
  } catch (error) {
    // The first process removes the temporary files of the others, which may then fail halfway.
    if (!existsSync(path)) throw creationProblem(error, path);
  } finally {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Below a path that is no folder there is nothing to remove.
    }
  }
  sweepTemporaryFiles(path);
}

function writeTemporaryFile(temporary: string, script: string): void {
  closeSync(openSync(temporary, 'wx', FILE_MODE));
  const database = new DatabaseSync(sqliteUri(temporary));
  try {
    // No prepared statements: one that is not garbage-collected yet would keep the file open and locked.
    database.exec(`${TEMPORARY_PRAGMAS}; begin; ${script}; commit; pragma journal_mode = wal`);
  } finally {
    database.close();
  }
}

const ELSEWHERE =
  'Check the permissions of its folder, or store it elsewhere: a ledger with SWAPCTL_LEDGER, the database of a sandbox with --database, both with XDG_STATE_HOME.';

function creationProblem(error: unknown, path: string): Error {
  if (!(error instanceof Error && 'syscall' in error)) return translateFailure(error, path);
  return new UncreatableError(
    `The database ${path} could not be created: ${systemCode(error) ?? 'unknown reason'}.`,
    ELSEWHERE,
  );
}

const MARK = '.new-';
const ENDING = /^(?:[0-9a-f]{16}|lock)$/;
const LOCK_WAIT_MS = 5000;

/** Removes all temporary files of an existing database, of killed processes and of those that came second. */
export function sweepTemporaryFiles(path: string): void {
  const prefix = `${basename(path)}${MARK}`;
  const isTemporary = (name: string) => name.startsWith(prefix) && ENDING.test(name.slice(prefix.length));
  try {
    for (const name of readdirSync(dirname(path)).filter(isTemporary))
      rmSync(join(dirname(path), name), { force: true });
  } catch {
    // Left-over files do no harm.
  }
}

/** Gives a finished temporary file its final name, unless that exists. Throws the system's error. */
function moveIntoPlace(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    // FAT and some network shares have no links; each fails with a different error.
    moveIntoPlaceUnderLock(temporary, path);
  }
}

/**
 * Renames a temporary file to its path unless that exists, where the system has no links. A rename alone could replace
 * the file of another process, so processes take turns by SQLite's lock, which is released if its process is killed.
 */
export function moveIntoPlaceUnderLock(temporary: string, path: string): void {
  const lockFile = `${path}${MARK}lock`;
  try {
    closeSync(openSync(lockFile, 'a', 0o600));
    const lock = new DatabaseSync(sqliteUri(lockFile));
    try {
      lock.exec(`pragma busy_timeout = ${LOCK_WAIT_MS}; begin exclusive`);
      if (!existsSync(path)) renameSync(temporary, path);
      // From here on any process with the lock finds the file and renames nothing, so a new lock file does no harm.
      rmSync(lockFile, { force: true });
    } finally {
      lock.close();
    }
  } catch (error) {
    // The first process has removed the lock file by now.
    if (!existsSync(path)) throw error;
  }
}

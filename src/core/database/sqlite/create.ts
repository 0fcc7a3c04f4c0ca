import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../../base/files.ts';
import { translateFailure, UncreatableError } from '../failures.ts';
import { DatabaseSync, sqliteUri } from './connection.ts';
import { systemReason } from './file.ts';
import { moveIntoPlace, sweepTemporaryFiles, temporaryName } from './temp-file.ts';

const FILE_MODE = 0o600;
/**
 * No side files that would need cleaning up; one flush at the end. Three rows of a ledger fill a page of 8 KiB, where only one
 * fits into the usual 4 KiB: a million ended swaps take a quarter less.
 */
const TEMPORARY_PRAGMAS =
  'pragma page_size = 8192; pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off';

/**
 * Creates a database file under a temporary name and moves it to its path once it is complete, with its tables. So an
 * empty file at the path is always a truncated one, whichever process was killed when. Of several processes that create
 * the file at once one succeeds, and all of them may use it. Throws StorageError.
 */
export function createSqliteFile(path: string, script: string): void {
  const temporary = temporaryName(path);
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
    `The database ${path} could not be created: ${systemReason(error)}.`,
    ELSEWHERE,
  );
}

import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makePrivateFolder } from '../../files.ts';
import { translateFailure, UncreatableError } from '../failures.ts';
import { sqliteUri } from './connection.ts';
import { systemReason } from './file.ts';
import { moveIntoPlace, sweepTemporaryFiles, temporaryName } from './temp-file.ts';

const FILE_MODE = 0o600;
/** No side files that would have to be cleaned up; the disk is waited for once, at the end. */
const DRAFT_PRAGMAS =
  'pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = off';

/**
 * Makes a database file that appears at its path whole, with its tables, or not at all: it is drafted under another
 * name. So an empty file is one that was cut off, whoever was killed when. Of several processes that make the file at
 * once one succeeds, and all of them may use it. Throws StorageError.
 */
export function createSqliteFile(path: string, script: string, isDurable: boolean): void {
  const draft = temporaryName(path);
  try {
    makePrivateFolder(dirname(path));
    writeDraft(draft, script);
    if (isDurable) flush(draft);
    moveIntoPlace(draft, path);
  } catch (error) {
    // Who is first removes the drafts of the others, which may fail halfway then.
    if (!existsSync(path)) throw creationProblem(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
  sweepTemporaryFiles(path);
}

function writeDraft(draft: string, script: string): void {
  closeSync(openSync(draft, 'wx', FILE_MODE));
  const database = new DatabaseSync(sqliteUri(draft));
  try {
    // No prepared statements: one that is not collected yet would keep the file open, and locked.
    database.exec(`${DRAFT_PRAGMAS}; begin; ${script}; commit; pragma journal_mode = wal`);
  } finally {
    database.close();
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const ELSEWHERE =
  'Check the permissions of its folder, or keep it elsewhere: XDG_STATE_HOME names another folder.';

function creationProblem(error: unknown, path: string): Error {
  if (!(error instanceof Error && 'syscall' in error)) return translateFailure(error, path);
  return new UncreatableError(
    `The database ${path} could not be created: ${systemReason(error)}.`,
    ELSEWHERE,
  );
}

import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../../base/files.ts';
import { DatabaseSync, sqliteUri } from './connection.ts';

const MARK = '.new-';
const ENDING = /^(?:[0-9a-f]{16}|lock)$/;
const LOCK_WAIT_MS = 5000;

/** A temporary name beside a database, unique to this process. */
export function temporaryName(path: string): string {
  return `${path}${MARK}${randomBytes(8).toString('hex')}`;
}

/**
 * Removes all temporary files of an existing database: those of killed processes, and of processes that came second.
 */
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
export function moveIntoPlace(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    // FAT and some network shares have no links; each fails with a different error.
    moveIntoPlaceUnderLock(temporary, path);
  }
}

/**
 * The same without links. A rename would replace a file that another process moved there just before, so processes take
 * turns by a lock. The lock is SQLite's own, because the system releases it when its process is killed.
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

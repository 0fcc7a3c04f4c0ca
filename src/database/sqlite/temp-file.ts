import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { systemCode } from '../../files.ts';
import { sqliteUri } from './connection.ts';

const MARK = '.new-';
const ENDING = /^(?:[0-9a-f]{16}|lock)$/;
const LOCK_WAIT_MS = 5000;

/** A name beside a database under which one process makes it ready. */
export function temporaryName(path: string): string {
  return `${path}${MARK}${randomBytes(8).toString('hex')}`;
}

/** Name of the file that a process locks while it gives a temporary file its final name, where links cannot do it. */
export function temporaryLock(path: string): string {
  return `${path}${MARK}lock`;
}

/**
 * Removes all temporary files of a database that is there by now: those of killed processes, and those of processes that came
 * second, for nobody needs them any more.
 */
export function sweepTemporaryFiles(path: string): void {
  const prefix = `${basename(path)}${MARK}`;
  const isTemporary = (name: string) => name.startsWith(prefix) && ENDING.test(name.slice(prefix.length));
  try {
    for (const name of readdirSync(dirname(path)).filter(isTemporary)) {
      rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // They are in nobody's way.
  }
}

/** Gives a finished temporary file its final name, unless there is such a file already. Throws the system's error. */
export function moveIntoPlace(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    // FAT and some network shares have no links, and each says so with an error of its own.
    moveIntoPlaceUnderLock(temporary, path);
  }
}

/**
 * The same without links. A rename would replace what another process published just before, so one process renames
 * at a time. The lock is SQLite's own, because the system lifts it when its process is killed.
 */
export function moveIntoPlaceUnderLock(temporary: string, path: string): void {
  const lockFile = temporaryLock(path);
  try {
    closeSync(openSync(lockFile, 'a', 0o600));
    const lock = new DatabaseSync(sqliteUri(lockFile));
    try {
      lock.exec(`pragma busy_timeout = ${LOCK_WAIT_MS}; begin exclusive`);
      if (!existsSync(path)) renameSync(temporary, path);
      // Whoever takes the lock from here on finds the file and renames nothing, so a new lock file does no harm.
      rmSync(lockFile, { force: true });
    } finally {
      lock.close();
    }
  } catch (error) {
    // Who was first has taken the lock file away from under this process.
    if (!existsSync(path)) throw error;
  }
}

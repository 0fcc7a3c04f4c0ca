import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { draftLockOf } from './drafts.ts';
import { sqliteUri } from './uri.ts';

const LOCK_WAIT_MS = 5000;

/** Gives a finished draft its final name, unless there is such a file already. Throws the system's error. */
export function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    // FAT and some network shares have no links, and each says so with an error of its own.
    publishUnderLock(draft, path);
  }
}

/**
 * The same without links. A rename would replace what another process published just before, so one process renames
 * at a time. The lock is SQLite's own, because the system lifts it when its process is killed.
 */
export function publishUnderLock(draft: string, path: string): void {
  const lockFile = draftLockOf(path);
  try {
    closeSync(openSync(lockFile, 'a', 0o600));
    const lock = new DatabaseSync(sqliteUri(lockFile));
    try {
      lock.exec(`pragma busy_timeout = ${LOCK_WAIT_MS}; begin exclusive`);
      if (!existsSync(path)) renameSync(draft, path);
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

import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../errors.ts';

/** A lock this old was left behind: a change takes milliseconds. */
const STALE_MS = 10_000;
const PATIENCE_MS = 5_000;
const STEP_MS = 20;

/**
 * Does the work while no other process does work under the same lock file, so that of two that change a file
 * neither undoes the other's change. Throws `storage_failed` after five seconds of waiting.
 */
export async function withLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  for (let waited = 0; !(await take(lockFile)); waited += STEP_MS) {
    if (waited >= PATIENCE_MS) {
      throw new StorageError(
        'Another swapctl is changing the configuration.',
        `Run it again; if no other is running, remove what one left behind: rm '${lockFile}'`,
      );
    }
    await dropStale(lockFile);
    await pause(STEP_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function take(lockFile: string): Promise<boolean> {
  try {
    await (await open(lockFile, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function dropStale(lockFile: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lockFile);
    if (Date.now() - mtimeMs > STALE_MS) await rm(lockFile, { force: true });
  } catch {
    // It is gone already, and the next try takes it.
  }
}

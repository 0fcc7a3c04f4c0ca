import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../base/errors.ts';
import { patiently, replaceFile, systemCode } from '../../base/files.ts';

/** Time after which a process, which may have died, loses the lock, in milliseconds; a change takes a few. */
const MAX_HELD_MS = 2_000;

const STEP_MS = 20;
const MAX_TRIES = 20;
/** What follows the target's name in a temporary file, and in the one in which conf prepares that. */
const TEMPORARY = /^[0-9a-f]{16}(\.tmp-[0-9a-f]+)?$/;

/**
 * Replaces a file with the temporary file that `write` makes, so that no process overwrites another one's change.
 *
 * Neither clocks nor lock holders are trusted: a process that stalls may lose the lock. The next holder removes every
 * temporary file before it reads the target, and a process checks that it still holds the lock after its temporary file
 * is finished. So the change of a stalled process is either in place by then, or its rename fails and it starts over.
 * Throws `storage_failed` if other processes always win, and whatever `write` throws.
 */
export async function replaceLocked(
  target: string,
  lockFile: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const token = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const temporary = `${target}.${token}`;
    await take(lockFile, token);
    try {
      sweepTemporaryFiles(target);
      await write(temporary);
      if (readLockFile(lockFile) === token && renameIfPresent(temporary, target)) return;
    } catch (error) {
      // Another process took the lock, and removed what was being written.
      if (systemCode(error) !== 'ENOENT' || readLockFile(lockFile) === token) throw error;
    } finally {
      remove(temporary);
      if (readLockFile(lockFile) === token) remove(lockFile);
    }
  }
  throw new StorageError(
    'The configuration could not be changed: too many concurrent updates.',
    'Try again.',
  );
}

/** Creates the lock file with a token in it, as soon as no other process holds the lock. */
async function take(lockFile: string, token: string): Promise<void> {
  let seen: string | null = null;
  let since = performance.now();
  while (!createIfAbsent(lockFile, token)) {
    const text = readLockFile(lockFile);
    if (text !== seen) [seen, since] = [text, performance.now()];
    if (performance.now() - since >= MAX_HELD_MS) {
      // By a rename, so that only one of two concurrent processes does.
      const aside = `${lockFile}.${token}`;
      if (renameIfPresent(lockFile, aside)) remove(aside);
    } else await pause(STEP_MS);
  }
}

function createIfAbsent(lockFile: string, text: string): boolean {
  try {
    patiently(() => writeFileSync(lockFile, text, { flag: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Renames a file; false if it no longer exists. */
function renameIfPresent(from: string, to: string): boolean {
  try {
    replaceFile(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function sweepTemporaryFiles(target: string): void {
  const prefix = `${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    if (name.startsWith(prefix) && TEMPORARY.test(name.slice(prefix.length)))
      remove(join(dirname(target), name));
  }
}

function remove(file: string): void {
  patiently(() => rmSync(file, { force: true }));
}

function readLockFile(lockFile: string): string | null {
  try {
    return patiently(() => readFileSync(lockFile, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../base/errors.ts';
import { patiently, replaceFile, systemCode } from '../../base/files.ts';
import { parsed } from '../../base/text.ts';

/** Time after which a process loses the lock, in milliseconds; a change takes a few. */
const MAX_HELD_MS = 2_000;

const STEP_MS = 20;
const MAX_TRIES = 20;
const TOKEN = /^[0-9a-f]{16}$/;

/** Content of a lock file: the process that holds the lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process as the system counts it: its pid may have been reused since. */
  readonly started: string | null;
  readonly token: string;
}

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
    const own = await take(lockFile, token);
    try {
      sweepTemporaryFiles(target);
      await write(temporary);
      if (lockText(lockFile) === own && renameIfPresent(temporary, target)) return;
    } finally {
      remove(temporary);
      if (lockText(lockFile) === own) remove(lockFile);
    }
  }
  throw new StorageError(
    'The configuration could not be changed: too many concurrent updates.',
    'Try again.',
  );
}

/** Creates the lock file as soon as no other process holds the lock, and returns its text. */
async function take(lockFile: string, token: string): Promise<string> {
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  const own = JSON.stringify(holder);
  let seen: string | null = null;
  let since = performance.now();
  while (!createIfAbsent(lockFile, own)) {
    const text = lockText(lockFile);
    if (text !== seen) [seen, since] = [text, performance.now()];
    if (hasEnded(holderIn(text)) || performance.now() - since >= MAX_HELD_MS) {
      // By a rename, so that only one of two concurrent processes does.
      const aside = `${lockFile}.${token}`;
      if (renameIfPresent(lockFile, aside)) remove(aside);
    } else await pause(STEP_MS);
  }
  return own;
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
    if (name.startsWith(prefix) && TOKEN.test(name.slice(prefix.length))) remove(join(dirname(target), name));
  }
}

function remove(file: string): void {
  patiently(() => rmSync(file, { force: true }));
}

function lockText(lockFile: string): string | null {
  try {
    return patiently(() => readFileSync(lockFile, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Holder named in a lock file; null if the text is incomplete. */
function holderIn(text: string | null): Partial<Holder> | null {
  const value = parsed(text ?? '');
  return typeof value === 'object' ? value : null;
}

/** Whether the holder has certainly ended; false for a process on another machine. */
function hasEnded(holder: Partial<Holder> | null): boolean {
  if (holder?.host !== hostname() || typeof holder.pid !== 'number') return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
  return typeof holder.started === 'string' && startOf(holder.pid) !== holder.started;
}

/** Start time of a process as Linux counts it; null on other systems, where only the pid is compared. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces; the start time is the twentieth word after it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

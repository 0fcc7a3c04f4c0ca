import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../errors.ts';
import { patiently, replaceFile, systemCode } from '../files.ts';

/** Time after which a process that holds the lock loses it, in milliseconds; a change itself takes a few. */
export const MAX_HELD_MS = 2_000;

const STEP_MS = 20;
const MAX_TRIES = 20;
const TOKEN = /^[0-9a-f]{16}$/;

/** Content of a lock file: the process that holds the lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start of the process in the system's count: its number alone may belong to another process by now. */
  readonly started: string | null;
  readonly token: string;
}

/**
 * Replaces a file by the temporary file that `write` makes, so that no process undoes the change of another.
 *
 * No clock is trusted, and no holder of the lock: one that is held up may lose it. The next holder removes every
 * temporary file before it reads the target, and a process checks that the lock is still its own after its temporary
 * file is finished. So the change of a process that was held up is either in place by then, or its rename fails and
 * it starts over. Throws `storage_failed` where others are always sooner, and whatever `write` throws.
 */
export async function replaceLocked(
  target: string,
  lockFile: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const token = randomBytes(8).toString('hex');
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
  throw new StorageError('Others keep changing the configuration at the same time.', 'Run it again.');
}

/** Makes the lock file, as soon as it is nobody's, and returns its text. */
async function take(lockFile: string, token: string): Promise<string> {
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  const own = JSON.stringify(holder);
  let seen: string | null = null;
  let since = performance.now();
  while (!createIfAbsent(lockFile, own)) {
    const text = lockText(lockFile);
    if (text !== seen) [seen, since] = [text, performance.now()];
    if (isGone(holderIn(text)) || performance.now() - since >= MAX_HELD_MS)
      drop(lockFile, `${lockFile}.${token}`);
    else await pause(STEP_MS);
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

/** Removes a lock by a rename, so that of two processes that try at once only one does. */
function drop(lockFile: string, aside: string): void {
  if (renameIfPresent(lockFile, aside)) remove(aside);
}

/** Renames a file; false where it is not there any more. */
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

/** Holder named in a lock file; null for a text that is still being written, or that another version wrote. */
function holderIn(text: string | null): Partial<Holder> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Whether the holder has certainly ended; false for a process on another machine, of which nothing is known. */
function isGone(holder: Partial<Holder> | null): boolean {
  if (holder?.host !== hostname() || typeof holder.pid !== 'number') return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
  return typeof holder.started === 'string' && startOf(holder.pid) !== holder.started;
}

/** Start of a process as Linux counts it; null on other systems, where its number alone is compared. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold spaces; the start is the twentieth word behind it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

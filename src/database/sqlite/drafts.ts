import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MARK = '.new-';
const ENDING = /^(?:[0-9a-f]{16}|lock)$/;

/** A name beside a database under which one process makes it ready. */
export function draftOf(path: string): string {
  return `${path}${MARK}${randomBytes(8).toString('hex')}`;
}

/** Name of the file that a process locks while it gives a draft its final name, where links cannot do it. */
export function draftLockOf(path: string): string {
  return `${path}${MARK}lock`;
}

/**
 * Removes all drafts of a database that is there by now: those of killed processes, and those of processes that came
 * second, for nobody needs them any more.
 */
export function sweepDrafts(path: string): void {
  const prefix = `${basename(path)}${MARK}`;
  const isDraft = (name: string) => name.startsWith(prefix) && ENDING.test(name.slice(prefix.length));
  try {
    for (const name of readdirSync(dirname(path)).filter(isDraft)) {
      rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // They are in nobody's way.
  }
}

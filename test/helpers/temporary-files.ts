import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 31;

/**
 * Gives the tests of a run a temporary folder of their own, and removes it at the end with everything that they left. It
 * is in memory where the system has room there: on a disk, a quarter of the time passed while a database or a
 * file was made durable.
 */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(isUsable() ? IN_MEMORY : tmpdir(), 'swapctl-'));
  // PostgreSQL runs as another user where we are root.
  chmodSync(folder, 0o711);
  project.config.env = { ...project.config.env, TMPDIR: folder, SWAPCTL_TEST_DISK: tmpdir() };
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Whether files in memory may be large, and programs. Containers often allow neither. */
function isUsable(): boolean {
  try {
    const mounted = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync('/proc/mounts', 'utf8'));
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return mounted && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** A run with all databases of its PostgreSQL takes up to two gigabytes. */
const ENOUGH_BYTES = 2 ** 32;

/**
 * Gives a run a temporary folder of its own, and removes it at the end with everything that tests left there. It is in
 * memory where the system has room: on a disk, a quarter of the time passed while files were made durable and removed.
 */
export function setup(): (() => void) | undefined {
  // The other project of the run has made it.
  if (process.env['SWAPCTL_TEST_DISK'] !== undefined) return;
  process.env['SWAPCTL_TEST_DISK'] = tmpdir();
  const folder = mkdtempSync(join(isUsable() ? IN_MEMORY : tmpdir(), 'swapctl-'));
  // PostgreSQL runs as another user where we are root.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
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

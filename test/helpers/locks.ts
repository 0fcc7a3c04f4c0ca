import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';

/** Whether the system tells who locks what; Linux does. */
export const TELLS_LOCKS = process.platform === 'linux';

/**
 * The locks that a process has on a SQLite database in use: "read" on the file itself, which keeps others from taking
 * its log away, and on the index of its log.
 */
export function locksOf(processId: number, database: string): readonly string[] {
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return [database, `${database}-shm`].flatMap((path) => {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const isHeld = lines.some((line) => {
      const [, , kind, mode, holder, place] = line.trim().split(/\s+/);
      const isOurs = holder === `${processId}` && place?.endsWith(`:${inode}`) === true;
      return kind === 'ADVISORY' && isOurs && (mode === 'READ' || mode === 'WRITE');
    });
    return isHeld ? [path.slice(database.length) || 'file'] : [];
  });
}

/** What {@link locksOf} tells of a database that is in use as it should be. */
export const BOTH_LOCKS = ['file', '-shm'];

/** Whether Debian's own sqlite3 is there; CI installs it, so that its tests are never left out there. */
export const HAS_SQLITE3 = process.env['CI'] === 'true' || spawnSync('sqlite3', ['--version']).status === 0;

/** Asks Debian's sqlite3, another program with another SQLite, about a database; fails where it fails. */
export async function sqlite3(database: string, sql: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sqlite3', ['-cmd', '.timeout 5000', database, sql]);
  return stdout.trimEnd();
}

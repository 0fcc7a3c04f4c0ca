import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { hasTool } from './tools.ts';

/** Whether the system tells who locks what; Linux does. */
export const TELLS_LOCKS = process.platform === 'linux';

/**
 * The locks that a process has on a SQLite database in use: "read" on the file itself, which keeps others from taking
 * its log away, and on the index of its log. They are read from the process's own files: /proc/locks is read in pages,
 * and leaves out a lock that is held while others come and go.
 */
export function locksOf(processId: number, database: string): readonly string[] {
  const locks = locksOfFiles(processId);
  return [database, `${database}-shm`].flatMap((path) => {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    return locks.some((lock) => lock.endsWith(`:${inode}`)) ? [path.slice(database.length) || 'file'] : [];
  });
}

/** The locks on the open files of a process, each up to the device and inode, as `READ 4711 fe:00:2253394`. */
function locksOfFiles(processId: number): readonly string[] {
  const folder = `/proc/${processId}/fdinfo`;
  return readdirSync(folder).flatMap((descriptor) => {
    const text = contentIfOpen(`${folder}/${descriptor}`);
    return [...text.matchAll(/^lock:.* ADVISORY +((?:READ|WRITE) \d+ \S+)/gm)].map(([, lock = '']) => lock);
  });
}

/** The content of a file of a descriptor; empty when it was closed after it was listed. */
function contentIfOpen(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** What {@link locksOf} tells of a database that is in use as it should be. */
export const BOTH_LOCKS = ['file', '-shm'];

/** Whether Debian's own sqlite3 is there. */
export const HAS_SQLITE3 = hasTool('sqlite3');

/** Asks Debian's sqlite3, another program with another SQLite, about a database; fails where it fails. */
export async function sqlite3(database: string, sql: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sqlite3', ['-cmd', '.timeout 5000', database, sql]);
  return stdout.trimEnd();
}

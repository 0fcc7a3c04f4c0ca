import type { Stats } from 'node:fs';
import { statSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import { danglingLink, NotAFileError, readRegularFile } from '../files.ts';

/** How a thing that holds secrets is to be closed to others. */
const CHMOD = { file: '600', folder: '700' } as const;

/** Throws StorageError where anyone but this user can read a file or folder, or it is another user's altogether. */
function refuseOthers(path: string, { uid, mode }: Stats, kind: keyof typeof CHMOD): void {
  // Windows knows neither owners nor modes of this kind.
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own) {
    throw new StorageError(
      `${path}, which holds secrets, belongs to another user (uid ${uid}).`,
      `Run swapctl as that user, or make it yours: sudo chown ${own} '${path}'`,
    );
  }
  if ((mode & 0o077) !== 0) {
    throw new StorageError(
      `Others can read ${path}, which holds secrets.`,
      `Run: chmod ${CHMOD[kind]} '${path}'`,
    );
  }
}

/** Refuses a folder that others can look into. Throws StorageError. */
export function refuseOpenFolder(folder: string): void {
  try {
    refuseOthers(folder, statSync(folder), 'folder');
  } catch (error) {
    throw readingProblem(folder, error);
  }
}

/**
 * Reads a file that is nobody else's; null where there is none. A link to nothing is not none: its disk may only be
 * away. Throws StorageError.
 */
export function readPrivateFile(path: string): string | null {
  try {
    return readRegularFile(path, (found) => refuseOthers(path, found, 'file'));
  } catch (error) {
    if (!isMissing(error)) throw readingProblem(path, error);
  }
  const link = danglingLink(path);
  if (link === null) return null;
  throw new StorageError(
    `The configuration ${path} is not there: ${link === path ? 'it' : link} is a link to something that is missing.`,
    `Bring back what the link names, or remove the link: rm '${link}'`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function readingProblem(path: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof NotAFileError) {
    return new StorageError(
      `The configuration ${path} is not a file.`,
      `Move away what lies there: mv '${path}' '${path}.old'`,
    );
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new StorageError(`The configuration ${path} could not be read${code}.`);
}

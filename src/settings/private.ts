import { statSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import type { PrivateWords, System } from '../files.ts';
import {
  codeInBrackets,
  danglingLink,
  isWindows,
  moveAside,
  NotAFileError,
  readRegularFile,
  requirePrivate,
  shellQuote,
  systemCode,
} from '../files.ts';

/** The words for a file or folder with secrets in it that others can read. */
function secretWords(path: string, kind: PrivateWords['kind']): PrivateWords {
  return {
    kind,
    name: `${path}, which holds secrets,`,
    exposed: `Others can read ${path}, which holds secrets.`,
  };
}

/** Throws StorageError for a folder that others can look into. */
export function requirePrivateFolder(folder: string, system: System): void {
  try {
    requirePrivate(folder, statSync(folder), secretWords(folder, 'folder'), system);
  } catch (error) {
    throw readingProblem(folder, error, system);
  }
}

/**
 * Reads a private file; null where there is none. A dangling link is refused instead, since the disk of its file may
 * only be unmounted. Throws StorageError.
 */
export function readPrivateFile(path: string, system: System): string | null {
  try {
    return readRegularFile(path, (found) => requirePrivate(path, found, secretWords(path, 'file'), system));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw readingProblem(path, error, system);
  }
  const link = danglingLink(path);
  if (link === null) return null;
  throw new StorageError(
    `The configuration ${path} is not there: ${link === path ? 'it' : link} is a link to something that is missing.`,
    `Bring back what the link names, or remove the link: ${isWindows(system) ? 'del' : 'rm'} ${shellQuote(link)}`,
  );
}

function readingProblem(path: string, error: unknown, system: System): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof NotAFileError) {
    return new StorageError(
      `The configuration ${path} is not a file.`,
      `Move away what lies there: ${moveAside(path, system)}`,
    );
  }
  return new StorageError(`The configuration ${path} could not be read${codeInBrackets(error)}.`);
}

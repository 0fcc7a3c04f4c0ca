import { statSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import type { PrivateWords } from '../files.ts';
import {
  codeInBrackets,
  danglingLink,
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
export function requirePrivateFolder(folder: string): void {
  try {
    requirePrivate(folder, statSync(folder), secretWords(folder, 'folder'));
  } catch (error) {
    throw readingProblem(folder, error);
  }
}

/**
 * Reads a private file; null where there is none. A dangling link is refused instead, since the disk of its file may
 * only be unmounted. Throws StorageError.
 */
export function readPrivateFile(path: string): string | null {
  try {
    return readRegularFile(path, (found) => requirePrivate(path, found, secretWords(path, 'file')));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw readingProblem(path, error);
  }
  const link = danglingLink(path);
  if (link === null) return null;
  throw new StorageError(
    `The configuration ${path} is not there: ${link === path ? 'it' : link} is a link to something that is missing.`,
    `Bring back what the link names, or remove the link: rm ${shellQuote(link)}`,
  );
}

function readingProblem(path: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof NotAFileError) {
    return new StorageError(
      `The configuration ${path} is not a file.`,
      `Move away what lies there: mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
    );
  }
  return new StorageError(`The configuration ${path} could not be read${codeInBrackets(error)}.`);
}

import type { Stats } from 'node:fs';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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
 * Reads a private file with `read`; null where there is none. A dangling link is refused instead, since the disk of its
 * file may only be unmounted. Throws StorageError, and what `read` throws: before its permissions are looked at, for
 * changing those of a file that is not ours would break what it belongs to.
 */
export function readPrivateFile<Content>(
  path: string,
  system: System,
  read: (text: string) => Content,
): Content | null {
  let stats: Stats | undefined;
  let text: string | undefined;
  try {
    text = readRegularFile(path, (found) => {
      stats = found;
    });
  } catch (error) {
    // Service users often have no home: HOME is /dev/null then, or another path that is no folder.
    if (systemCode(error) === 'ENOTDIR' && !existsSync(dirname(path))) return null;
    if (systemCode(error) !== 'ENOENT') throw readingProblem(path, error, system);
  }
  if (text !== undefined && stats !== undefined) {
    const content = read(text);
    requirePrivate(path, stats, secretWords(path, 'file'), system);
    return content;
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

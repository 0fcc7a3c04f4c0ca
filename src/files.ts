import type { Stats } from 'node:fs';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Something that is no file lies where one was to be read: a folder, a pipe, a device. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
}

/**
 * Reads a whole text file. Opening a pipe does not wait for its writer, and what `check` refuses by throwing is never
 * read. Throws the system's error, or {@link NotAFileError}.
 */
export function readRegularFile(path: string, check: (found: Stats) => void = () => undefined): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new NotAFileError(`${path} is not a file`);
    check(found);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The link because of which a path leads nowhere: the path itself or a folder above it; null where there is none. */
export function danglingLink(path: string): string | null {
  for (let each = path; ; each = dirname(each)) {
    const found = lstatSync(each, { throwIfNoEntry: false });
    if (found !== undefined) return found.isSymbolicLink() && !leadsSomewhere(each) ? each : null;
    if (dirname(each) === each) return null;
  }
}

function leadsSomewhere(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Makes a folder and what is missing above it, for the owner alone. Node's own recursive way never comes back from
 * a place such as /proc, where folders cannot be made. Throws the system's error.
 */
export function makePrivateFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

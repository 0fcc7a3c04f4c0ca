import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../errors.ts';
import { codeInBrackets, systemCode } from '../files.ts';

/** Time limit for the writer of a pipe: it may be a password manager that asks a person. */
const MAX_PIPE_MS = 60_000;

const PIPE_STEP_MS = 20;

/** Leaves out the path: somebody who confuses the two variables has put the secret itself there. */
const WHAT_BELONGS_THERE =
  'SWAPCTL_SECRET_FILE holds the path of a file with the secret in it, SWAPCTL_SECRET the secret itself.';

/**
 * Reads the secret from a file or a pipe (as shells pass the output of a program), without one line break at its end. A
 * pipe without a writer is refused at once. Throws StorageError.
 */
export async function secretFromFile(file: string): Promise<string> {
  return (await contentOf(file)).replace(/\r?\n$/, '');
}

async function contentOf(file: string): Promise<string> {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer, for ever if there is none.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    if (found.isFIFO()) return await readPipe(descriptor, file);
    if (found.isDirectory() || found.isFile()) return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw unreadable(`could not be read${codeInBrackets(error)}`, WHAT_BELONGS_THERE);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw unreadable('is neither a file nor a pipe', `Check the path: ${file}`);
}

async function readPipe(descriptor: number, file: string): Promise<string> {
  const parts: Buffer[] = [];
  const late = performance.now() + MAX_PIPE_MS;
  for (;;) {
    const part = readReady(descriptor);
    if (part?.length === 0) break;
    if (part !== null) parts.push(part);
    else if (performance.now() < late) await pause(PIPE_STEP_MS);
    else throw unreadable('is a pipe whose writer keeps silent', `Check who writes to ${file}`);
  }
  if (parts.length > 0) return Buffer.concat(parts).toString();
  throw unreadable('is a pipe into which nobody writes', 'Name a file, or set SWAPCTL_SECRET.');
}

/** Bytes that are in the pipe now: none after the last writer has gone, null while one has yet to write. */
function readReady(descriptor: number): Buffer | null {
  const part = Buffer.alloc(4096);
  try {
    return part.subarray(0, readSync(descriptor, part));
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return null;
    throw error;
  }
}

function unreadable(why: string, hint: string): StorageError {
  return new StorageError(`The file of SWAPCTL_SECRET_FILE ${why}.`, hint);
}

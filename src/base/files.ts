import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { REINSTALL, StorageError, SwapctlError, UsageError } from './errors.ts';
import { echoed } from './text.ts';

/** The system that a call is for; tests pass other systems. */
export type System = NodeJS.Platform;

/** Whether a system is Windows: no modes and owners of files, no signals, another shell. Everything else follows POSIX. */
export function isWindows(system: System = process.platform): boolean {
  return system === 'win32';
}

/** A folder, pipe or device is at the path of a file. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
}

/**
 * Reads a text file; `check` may throw first; a pipe is not waited for. Throws {@link NotAFileError} or the system's.
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

/** The dangling link in a path: the path itself or a folder above it; null if there is none. */
export function danglingLink(path: string): string | null {
  for (let each = path; ; each = dirname(each)) {
    const found = lstatSync(each, { throwIfNoEntry: false });
    const leadsNowhere = () => statSync(each, { throwIfNoEntry: false }) === undefined;
    if (found !== undefined) return found.isSymbolicLink() && leadsNowhere() ? each : null;
    if (dirname(each) === each) return null;
  }
}

/**
 * Makes a folder and its missing parents, for the owner alone. Not `mkdirSync` with `recursive`: in Node 20 it never
 * returns on a path below /proc, where folders cannot be made. Throws the system's error.
 */
export function makePrivateFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it since.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Writes a new private file, flushed to the disk; none is left if that fails. Throws the system's error. */
export function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  let isWhole = false;
  try {
    writeFileSync(file, text, { flush: true });
    isWhole = true;
  } finally {
    closeSync(file);
    if (!isWhole) rmSync(path, { force: true });
  }
}

/** Writes a new private file for -o. Throws UsageError if there is one, which is never overwritten, and `write_failed`. */
export function writeOutputFile(path: string, text: string): void {
  try {
    writeNewFile(path, text);
  } catch (error) {
    const name = echoed(path);
    if (systemCode(error) === 'EEXIST')
      throw new UsageError(`${name} already exists and is not overwritten.`, 'Choose another file with -o.');
    throw new SwapctlError('write_failed', `${name} could not be written${codeInBrackets(error)}.`, {
      hint: 'Choose another file with -o, or leave -o out.',
    });
  }
}

/** Code of a system's error such as `ENOENT`; null for any other error. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Code of a system's error in brackets, for the end of a sentence; empty for any other error. */
export function codeInBrackets(error: unknown): string {
  const code = systemCode(error);
  return code === null ? '' : ` (${code})`;
}

/** The `usage` error for a named file that cannot be read. Throws an error that is not the system's as it is. */
export function unreadableFile(path: string, error: unknown, hint?: string): UsageError {
  if (systemCode(error) === null && !(error instanceof NotAFileError)) throw error;
  if (systemCode(error) === 'ENOENT') return new UsageError(`File ${echoed(path)} does not exist.`, hint);
  const reason = error instanceof NotAFileError ? ' (not a file)' : codeInBrackets(error);
  return new UsageError(`The file ${echoed(path)} cannot be read${reason}.`, hint);
}

/** Words of the error for a file or folder that has to be private. */
export interface PrivateWords {
  readonly kind: 'file' | 'folder';
  /** Subject of "belongs to another user". */
  readonly name: string;
  /** The whole sentence for one that other users can read. */
  readonly exposed: string;
}

const CHMOD = { file: '600', folder: '700' } as const;
const OTHERS = 0o077;

/** A file or folder that has to be private is another user's, or others can read it. */
export class NotPrivateError extends StorageError {
  readonly path: string;

  constructor(path: string, message: string, hint: string) {
    super(message, hint);
    this.path = path;
  }
}

/** Throws {@link NotPrivateError}, with the command that fixes it, for what {@link opennessOf} finds. */
export function requirePrivate(path: string, found: Stats, words: PrivateWords, system?: System): void {
  const open = opennessOf(path, found, words, system);
  if (open === null) return;
  const { message, foreign, command } = open;
  const hint = foreign ? `Run swapctl as that user, or take ownership: ${command}` : `Run: ${command}`;
  throw new NotPrivateError(path, message, hint);
}

/** Whether a file or folder belongs to this user; always false on Windows. */
export function isOwn({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}

/** Whether a file or folder is this user's alone; always on Windows, which has no such owners and modes. */
export function isPrivate(found: Stats, system?: System): boolean {
  return process.getuid === undefined || isWindows(system) || (isOwn(found) && (found.mode & OTHERS) === 0);
}

/** Why a file or folder is not private, and the command that fixes it. */
export interface Openness {
  readonly message: string;
  /** Another user's. */
  readonly foreign: boolean;
  readonly command: string;
}

/** Why a file or folder is not private, or null: it is another user's, or others can read it. Windows has neither. */
export function opennessOf(
  path: string,
  found: Stats,
  { kind, name, exposed }: PrivateWords,
  system?: System,
): Openness | null {
  if (isPrivate(found, system)) return null;
  if (!isOwn(found))
    return {
      message: `${name} belongs to another user (uid ${found.uid}).`,
      foreign: true,
      command: `sudo chown ${process.getuid?.()} ${shellQuote(path)}`,
    };
  return { message: exposed, foreign: false, command: `chmod ${CHMOD[kind]} ${shellQuote(path)}` };
}

/** A word for a POSIX shell: bare if none of its characters is special, otherwise in single quotes. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Codes with which Windows refuses a file that another program has open, such as a virus scanner, for a moment. */
const BUSY: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];
const MAX_TRIES = 12;
const FIRST_PAUSE_MS = 5;

/**
 * Repeats work on a file that Windows refuses for a moment: twelve times in two seconds, since scanners take up to one.
 * On other systems these errors are permanent and thrown immediately.
 */
export function patiently<T>(work: () => T, system: System = process.platform, pause = pauseThread): T {
  for (let tries = 1; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && BUSY.includes(error.code);
      if (!isBusy || !isWindows(system) || tries === MAX_TRIES) throw error;
      pause(Math.min(FIRST_PAUSE_MS * 2 ** tries, 250));
    }
  }
}

/** Renames a file over another one, which may be open elsewhere for a moment. Throws the system's error. */
export function replaceFile(from: string, to: string): void {
  patiently(() => renameSync(from, to));
}

function pauseThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A shell command, for a hint, that moves a file or folder to the same path with `.old` behind it. */
export function moveAside(path: string, system: System = process.platform): string {
  const old = `${path}.old`;
  return isWindows(system) ? `move "${path}" "${old}"` : `mv ${shellQuote(path)} ${shellQuote(old)}`;
}

/** The folder of the nearest package.json above this file, wherever it was bundled. Throws StorageError. */
export function packageFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder))
      throw new StorageError('The installation is incomplete: package.json is missing.', REINSTALL);
    folder = dirname(folder);
  }
  return folder;
}

/** Path of the documentation or, in a single executable, which has none, words that name its folder. */
export function documentationFolder(): string {
  const folder = join(packageFolder(), 'docs');
  return existsSync(folder) ? folder : 'the folder docs of the package swapctl';
}

/** Version of the program, from its package.json. Throws StorageError if there is none. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

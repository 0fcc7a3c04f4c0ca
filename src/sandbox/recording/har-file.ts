import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { SwapctlError, UsageError } from '../../errors.ts';
import { codeInBrackets, systemCode } from '../../files.ts';
import { echoed } from '../../text.ts';
import { HAR_HEAD, HAR_TAIL } from './har.ts';

/** Most that one recording keeps, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Writing may take this part of the time at most: one in twenty. */
const REST_PER_WRITE = 19;

/** Options of {@link HarFile}. */
export interface HarFileOptions {
  readonly path: string;
  /** A clock that only goes forward, in milliseconds. */
  readonly monotonic: () => number;
  /** Called once, where the rest of a recording is not kept. */
  readonly onFull: () => void;
}

/**
 * A HAR file that is whole at every moment: each new version replaces the old one atomically, so that a program
 * that is killed leaves the last one. A small file is written with every call, a large one less often, since writing
 * must not slow the calls.
 */
export class HarFile {
  readonly #options: HarFileOptions;
  readonly #entries: string[] = [];
  #kept = 0;
  #full = false;
  #pending = false;
  #nextAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #failure: SwapctlError | undefined;

  /** Makes the file, for its owner alone. Throws UsageError where it exists already, and `write_failed`. */
  constructor(options: HarFileOptions) {
    this.#options = options;
    try {
      writeFileSync(options.path, this.#text(), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (systemCode(error) === 'EEXIST')
        throw new UsageError(
          `${echoed(options.path)} already exists and is not overwritten.`,
          'Choose another file with -o.',
        );
      throw unwritable(options.path, error);
    }
  }

  /** Calls in the file. */
  get size(): number {
    return this.#entries.length;
  }

  /** Its path. */
  get path(): string {
    return this.#options.path;
  }

  /** Removes the file, for a recording that never began. */
  discard(): void {
    rmSync(this.#options.path, { force: true });
  }

  /** Adds a call. */
  add(entry: string): void {
    if (this.#full) return;
    if (this.#kept + entry.length > MAX_KEPT) {
      this.#full = true;
      this.#options.onFull();
      return;
    }
    this.#entries.push(entry);
    this.#kept += entry.length;
    this.#pending = true;
    const wait = this.#nextAt - this.#options.monotonic();
    if (wait <= 0) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), wait).unref();
  }

  /** Writes what is not yet written. Throws `write_failed` where the last version could not be written. */
  close(): void {
    clearTimeout(this.#timer);
    if (this.#pending) this.#write();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(): void {
    this.#timer = undefined;
    const { path, monotonic } = this.#options;
    const started = monotonic();
    const temporary = `${path}.part`;
    try {
      // What is there may be a link that another user made: it is removed, and never written through.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, this.#text(), { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      this.#pending = false;
      this.#failure = undefined;
    } catch (error) {
      // Calls go on: the disk may have room again before the end.
      this.#failure = unwritable(path, error);
      rmSync(temporary, { force: true });
    }
    this.#nextAt = monotonic() + (monotonic() - started) * REST_PER_WRITE;
  }

  #text(): string {
    const lines = this.#entries.map((entry) => `\n${entry}`).join(',');
    return `${HAR_HEAD}${lines}${HAR_TAIL}`;
  }
}

function unwritable(path: string, error: unknown): SwapctlError {
  return new SwapctlError('write_failed', `${echoed(path)} could not be written${codeInBrackets(error)}.`, {
    hint: 'Choose another file with -o.',
  });
}

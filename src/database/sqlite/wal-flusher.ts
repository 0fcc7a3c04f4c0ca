import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { translateFailure } from '../failures.ts';

/**
 * Makes commits durable without blocking the event loop. SQLite appends a commit to its log; the commit survives a
 * power cut once the log was flushed to disk after that, which a thread of Node does. Commits that arrive during a
 * flush share the next one.
 */
export class WalFlusher {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  /** Resolves once everything committed so far is on disk. Throws StorageError if that fails. */
  flush(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#running = this.#flushNow();
        return this.#running;
      });
    return this.#next;
  }

  /** Closes the file, once all flushes are done. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#running.catch(() => undefined);
    await (await this.#file)?.close();
  }

  async #flushNow(): Promise<void> {
    try {
      const isFirst = this.#file === undefined;
      this.#file ??= open(`${this.#path}-wal`, 'r+');
      await (await this.#file).datasync();
      // The directory entries of a new log and a new database must be on disk as well.
      if (isFirst) await flushFolder(dirname(this.#path));
    } catch (error) {
      throw translateFailure(error, this.#path);
    }
  }
}

async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and makes names durable itself.
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

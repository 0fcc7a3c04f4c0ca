import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { translateFailure } from '../failures.ts';

/**
 * Makes commits durable without blocking the event loop. SQLite appends a commit to its log; the commit is safe from a
 * power cut once the log was flushed to the disk after that, and a thread of Node does it. Commits that come while one
 * flush is under way share the next one.
 */
export class WalFlusher {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  /** Resolves once everything committed so far is on the disk. Throws StorageError if that cannot be said. */
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

  /** Lets go of the file, once all flushes are done. */
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
      // The names of a new log and a new database have to be on the disk as well.
      if (isFirst) await flushFolder(dirname(this.#path));
    } catch (error) {
      throw translateFailure(error, this.#path);
    }
  }
}

async function flushFolder(folder: string): Promise<void> {
  // Windows opens no folders; it keeps names by itself.
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

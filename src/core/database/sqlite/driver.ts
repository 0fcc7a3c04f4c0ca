import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { translateFailure } from '../failures.ts';
import type { SqliteConnection } from './connection.ts';

/** Kysely's SQLite dialect with our driver. */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely's driver on one connection; its users take turns, in the order in which they asked. */
export class SqliteDriver implements Driver {
  readonly #sqlite: SqliteConnection;
  readonly #flusher: WalFlusher | undefined;
  readonly #connection: DatabaseConnection;
  #inTransaction = false;
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;
  /** Time at which the current user asked for the connection; all that wait for the same lock time out together. */
  #askedAt = 0;

  constructor(sqlite: SqliteConnection, flusher: WalFlusher | undefined) {
    this.#sqlite = sqlite;
    this.#flusher = flusher;
    this.#connection = {
      executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => this.#execute<Row>(query),
      streamQuery: () => {
        throw new TypeError('Streaming is not supported; read in pages.');
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const askedAt = performance.now();
    const previous = this.#lastTurn;
    let end = (): void => undefined;
    this.#lastTurn = new Promise((resolve) => {
      end = resolve;
    });
    await previous;
    this.#endTurn = end;
    this.#askedAt = askedAt;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  async beginTransaction(_connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    await this.#sqlite.runPatiently('begin immediate', [], this.#askedAt);
    this.#inTransaction = true;
  }

  async commitTransaction(): Promise<void> {
    await this.#sqlite.runPatiently('commit');
    this.#inTransaction = false;
  }

  async rollbackTransaction(): Promise<void> {
    this.#inTransaction = false;
    this.#sqlite.rollBack();
  }

  async destroy(): Promise<void> {
    this.#sqlite.tidy();
    this.#sqlite.close();
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes, wrote } = await this.#sqlite.runPatiently(
      query.sql,
      query.parameters,
      this.#inTransaction ? undefined : this.#askedAt,
    );
    if (wrote && !this.#inTransaction) await this.#flusher?.flush();
    return {
      rows: rows as Row[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    };
  }
}

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

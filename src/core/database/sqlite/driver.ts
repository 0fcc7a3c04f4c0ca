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
  readonly #connection: DatabaseConnection;
  #inTransaction = false;
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;
  /** Time at which the current user asked for the connection; all that wait for the same lock time out together. */
  #askedAt = 0;

  constructor(sqlite: SqliteConnection) {
    this.#sqlite = sqlite;
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

  /** The same connection, whose commits a power cut may undo. */
  relaxed(): Driver {
    return {
      init: () => this.init(),
      destroy: async () => undefined,
      acquireConnection: async () => {
        const connection = await this.acquireConnection();
        try {
          this.#sqlite.synchronize('normal');
        } catch (error) {
          await this.releaseConnection();
          throw error;
        }
        return connection;
      },
      releaseConnection: async () => {
        try {
          this.#sqlite.synchronize('full');
        } finally {
          await this.releaseConnection();
        }
      },
      beginTransaction: (connection, settings) => this.beginTransaction(connection, settings),
      commitTransaction: () => this.commitTransaction(),
      rollbackTransaction: () => this.rollbackTransaction(),
    };
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#sqlite.runPatiently(
      query.sql,
      query.parameters,
      this.#inTransaction ? undefined : this.#askedAt,
    );
    return {
      rows: rows as Row[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    };
  }
}

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import pg from 'pg';
import { translateFailure } from '../failures.ts';

/** Kysely's driver on the pool. Errors are mapped where they happen, and a broken connection is never used again. */
export class PooledDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #place: string;

  constructor(pool: pg.Pool, place: string) {
    this.#pool = pool;
    this.#place = place;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    try {
      return new PooledConnection(await this.#pool.connect(), this.#place);
    } catch (error) {
      throw translateFailure(error, this.#place);
    }
  }

  async beginTransaction(connection: PooledConnection): Promise<void> {
    await connection.query('begin', []);
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.query('commit', []);
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    // A lost connection rolls back too, and the error that led here says more than this one would.
    await connection.query('rollback', []).catch(() => undefined);
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #place: string;
  readonly #onError = (): void => {
    this.#broken = true;
  };
  #broken = false;

  constructor(client: pg.PoolClient, place: string) {
    this.#client = client;
    this.#place = place;
    client.on('error', this.#onError);
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(sql, [...parameters]);
    } catch (error) {
      if (!isStatementError(error)) this.#broken = true;
      throw translateFailure(error, this.#place);
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.query(query.sql, query.parameters);
    return { rows, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) };
  }

  streamQuery(): never {
    throw new TypeError('Streaming is not supported; read in pages.');
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.#broken);
  }
}

/** Whether the server refused a statement, in which case the connection itself is intact. */
function isStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

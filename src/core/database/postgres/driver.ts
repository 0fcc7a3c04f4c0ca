import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import pg from 'pg';
import type { NamedQuery } from '../database.ts';
import { translateFailure } from '../failures.ts';

/** Settings of every transaction, by name, where connections do not keep them; null if they do. */
export type TransactionSettings = Readonly<Record<string, string | number>> | null;

/** Kysely's driver on the pool. Errors are mapped where they happen, and a broken connection is never used again. */
export function pooledDriver(pool: pg.Pool, displayName: string, settings: TransactionSettings): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      try {
        return new PooledConnection(await pool.connect(), displayName, settings);
      } catch (error) {
        throw translateFailure(error, displayName);
      }
    },
    beginTransaction: (connection: PooledConnection) => connection.begin(),
    commitTransaction: (connection: PooledConnection) => connection.end('commit'),
    // A lost connection rolls back too, and the error that led here says more than this one would.
    rollbackTransaction: (connection: PooledConnection) => connection.end('rollback').catch(() => undefined),
    releaseConnection: async (connection: PooledConnection) => connection.release(),
    destroy: async () => undefined,
  };
}

class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #displayName: string;
  readonly #settings: TransactionSettings;
  readonly #onError = (): void => {
    this.#broken = true;
  };
  #broken = false;
  #inTransaction = false;

  constructor(client: pg.PoolClient, displayName: string, settings: TransactionSettings) {
    this.#client = client;
    this.#displayName = displayName;
    this.#settings = settings;
    client.on('error', this.#onError);
  }

  /** Begins a transaction with its settings, in one round trip. */
  async begin(): Promise<void> {
    const settings = Object.entries(this.#settings ?? {});
    await this.#query(
      `begin${settings.map(([name, value]) => `; set local ${name} = ${value}`).join('')}`,
      [],
    );
    this.#inTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#inTransaction = false;
    await this.#query(how, []);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // What may write or wait for a lock needs the time limits of a transaction.
    const isRead = query.query.kind === 'SelectQueryNode';
    return this.#settings === null || this.#inTransaction || isRead
      ? this.#run(query)
      : this.#runAlone(query);
  }

  async #runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin();
    try {
      const result = await this.#run<Row>(query);
      await this.end('commit');
      return result;
    } catch (error) {
      await this.end('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #run<Row>({ sql, parameters, name }: CompiledQuery & Partial<NamedQuery>): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#query(sql, parameters, this.#settings === null ? name : undefined);
    return { rows, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) };
  }

  async #query(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    try {
      return await this.#client.query({
        text,
        values: [...parameters],
        ...(name === undefined ? {} : { name }),
      });
    } catch (error) {
      // Where the server refused a statement, the connection itself is intact.
      this.#broken ||= !(error instanceof pg.DatabaseError && error.severity === 'ERROR');
      throw translateFailure(error, this.#displayName);
    }
  }

  streamQuery(): never {
    throw new TypeError('Streaming is not supported; read in pages.');
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.#broken);
  }
}

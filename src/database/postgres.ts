import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { StorageError } from '../errors.ts';
import type { Database, DatabaseOptions, Migration, PreparedQuery } from './database.ts';
import { translateFailure } from './failures.ts';
import { DEFAULT_SCHEMA_NAME, dueMigrations, VERSION_TABLE } from './schema-version.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const INT8 = 20;
/** Any number will do, as long as every swapctl takes the same one. */
const MIGRATION_LOCK = 7_905_021;

/** Opens a PostgreSQL database, migrating it as needed under a lock; see {@link Database}. */
export async function openPostgres<Schema>(
  url: string,
  migrations: readonly Migration[],
  options: DatabaseOptions,
): Promise<Database<Schema>> {
  const place = placeOf(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    allowExitOnIdle: true,
    types: { getTypeParser },
    ...(options.durability === 'memory' ? { options: '-c synchronous_commit=off' } : {}),
  });
  // A server that goes away breaks idle connections; the next query opens a new one or fails with its own error.
  pool.on('error', () => undefined);
  try {
    await migrate(pool, place, options.name ?? DEFAULT_SCHEMA_NAME, migrations);
  } catch (error) {
    await pool.end();
    throw translateFailure(error, place);
  }
  return new PostgresDatabase<Schema>(pool, place);
}

class PostgresDatabase<Schema> implements Database<Schema> {
  readonly kind = 'postgres';
  readonly kysely: Kysely<Schema>;
  readonly #pool: pg.Pool;
  readonly #place: string;
  #prepared = 0;

  constructor(pool: pg.Pool, place: string) {
    this.#pool = pool;
    this.#place = place;
    this.kysely = new Kysely<Schema>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new PooledDriver(pool, place),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
    return this.kysely.transaction().execute(work);
  }

  prepare<Row>(query: CompiledQuery<Row>): PreparedQuery<Row> {
    this.#prepared += 1;
    const name = `swapctl_${this.#prepared}`;
    const { sql } = query;
    return async (parameters) => {
      try {
        return (await this.#pool.query({ name, text: sql, values: [...parameters] })).rows as readonly Row[];
      } catch (error) {
        throw translateFailure(error, this.#place);
      }
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Kysely on the pool: failures are translated where they happen, and a connection that broke is not used again. */
class PooledDriver implements Driver {
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
    // Losing the connection rolls back as well, and the error that led here says more than this one would.
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

/** Whether the server refused a statement, so that the connection itself is sound. */
function isStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

async function migrate(
  pool: pg.Pool,
  place: string,
  name: string,
  migrations: readonly Migration[],
): Promise<void> {
  if (dueMigrations(migrations, await schemaVersion(pool, name), place).length === 0) return;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(VERSION_TABLE);
    for (const migration of dueMigrations(migrations, await schemaVersion(client, name), place)) {
      for (const statement of migration.statements) await client.query(statement);
      await client.query(
        'insert into swapctl_schema (name, version) values ($1, $2) on conflict (name) do update set version = excluded.version',
        [name, migration.version],
      );
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function schemaVersion(runner: pg.Pool | pg.PoolClient, name: string): Promise<number> {
  const { rows: found } = await runner.query(`select to_regclass('swapctl_schema') is not null as made`);
  if (found[0]?.made !== true) return 0;
  const { rows } = await runner.query('select version from swapctl_schema where name = $1', [name]);
  const version: unknown = rows[0]?.version;
  return typeof version === 'number' ? version : 0;
}

/** Times are whole milliseconds and fit a double; pg gives 64-bit integers as text unless told otherwise. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8 && format !== 'binary') return (text) => Number.parseInt(text, 10);
  return pg.types.getTypeParser(oid, format as 'text');
}

/** Host and database of a URL: what may be shown, without user and password. */
function placeOf(url: string): string {
  if (!URL.canParse(url))
    throw new StorageError('The database URL is not valid.', 'Write postgres://user@host/name.');
  const { host, pathname } = new URL(url);
  return `${host === '' ? 'localhost' : host}${pathname}`;
}

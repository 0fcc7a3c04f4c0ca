import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { StorageError } from '../errors.ts';
import type { Database, DatabaseOptions, Durability, Migration, PreparedQuery } from './database.ts';
import { DEFAULT_SCHEMA_NAME, dueMigrations, VERSION_TABLE } from './schema-version.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { prepareSqliteFile } from './sqlite-file.ts';
import { WalFlusher } from './wal-flusher.ts';

const BUSY_TIMEOUT_MS = 10_000;

/** Opens a SQLite file, creating or migrating it as needed; see {@link Database}. */
export async function openSqlite<Schema>(
  path: string,
  migrations: readonly Migration[],
  options: DatabaseOptions,
): Promise<Database<Schema>> {
  prepareSqliteFile(path);
  const busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT_MS;
  const writer = new SqliteConnection(path, busyTimeout);
  try {
    await writer.runPatiently('pragma journal_mode = wal');
    setDurability(writer, options);
    await migrate(writer, path, options.name ?? DEFAULT_SCHEMA_NAME, migrations);
  } catch (error) {
    writer.close();
    throw error;
  }
  const flusher = options.durability === 'background' ? new WalFlusher(path) : undefined;
  return new SqliteDatabase<Schema>(writer, flusher, () => {
    const second = new SqliteConnection(path, busyTimeout);
    setDurability(second, options);
    return second;
  });
}

const SYNCHRONOUS: Readonly<Record<Durability, string>> = {
  disk: 'full',
  background: 'normal',
  memory: 'off',
};

function setDurability(sqlite: SqliteConnection, { durability = 'disk' }: DatabaseOptions): void {
  sqlite.run(`pragma synchronous = ${SYNCHRONOUS[durability]}`);
}

class SqliteDatabase<Schema> implements Database<Schema> {
  readonly kind = 'sqlite';
  readonly kysely: Kysely<Schema>;
  readonly #driver: SqliteDriver;
  readonly #flusher: WalFlusher | undefined;
  readonly #openSecond: () => SqliteConnection;
  #second: SqliteConnection | undefined;

  constructor(writer: SqliteConnection, flusher: WalFlusher | undefined, openSecond: () => SqliteConnection) {
    this.#driver = new SqliteDriver(writer, flusher);
    this.#flusher = flusher;
    this.#openSecond = openSecond;
    this.kysely = new Kysely<Schema>({ dialect: dialectOf(this.#driver) });
  }

  async transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
    const result = await this.kysely.transaction().execute(work);
    // Not in the driver's commit: the next transaction need not wait for the disk.
    await this.#flusher?.flush();
    return result;
  }

  prepare<Row>(query: CompiledQuery<Row>): PreparedQuery<Row> {
    const { sql } = query;
    // A second connection need not wait for a transaction of the first one.
    return async (parameters) => {
      this.#second ??= this.#openSecond();
      const { rows, wrote } = await this.#second.runPatiently(sql, parameters);
      if (wrote) await this.#flusher?.flush();
      return rows as readonly Row[];
    };
  }

  async close(): Promise<void> {
    await this.#flusher?.close();
    this.#second?.close();
    await this.#driver.acquireConnection();
    await this.#driver.destroy();
    await this.#driver.releaseConnection();
  }
}

function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely on one connection: users of it take turns, in the order in which they asked. */
class SqliteDriver implements Driver {
  readonly #sqlite: SqliteConnection;
  readonly #flusher: WalFlusher | undefined;
  readonly #connection: DatabaseConnection;
  #inTransaction = false;
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;

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
    const previous = this.#lastTurn;
    let end = (): void => undefined;
    this.#lastTurn = new Promise((resolve) => {
      end = resolve;
    });
    await previous;
    this.#endTurn = end;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  async beginTransaction(_connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    await this.#sqlite.runPatiently('begin immediate');
    this.#inTransaction = true;
  }

  async commitTransaction(): Promise<void> {
    await this.#sqlite.runPatiently('commit');
    this.#inTransaction = false;
  }

  async rollbackTransaction(): Promise<void> {
    this.#inTransaction = false;
    this.#sqlite.run('rollback');
  }

  async destroy(): Promise<void> {
    this.#sqlite.tidy();
    this.#sqlite.close();
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes, wrote } = await this.#sqlite.runPatiently(query.sql, query.parameters);
    if (wrote && !this.#inTransaction) await this.#flusher?.flush();
    return {
      rows: rows as Row[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    };
  }
}

async function migrate(
  sqlite: SqliteConnection,
  path: string,
  name: string,
  migrations: readonly Migration[],
): Promise<void> {
  if (dueMigrations(migrations, schemaVersion(sqlite, path, name), path).length === 0) return;
  await sqlite.runPatiently('begin immediate');
  try {
    sqlite.run(VERSION_TABLE);
    const due = dueMigrations(migrations, schemaVersion(sqlite, path, name), path);
    for (const migration of due) {
      for (const statement of migration.statements) sqlite.run(statement);
      sqlite.run('insert or replace into swapctl_schema (name, version) values (?, ?)', [
        name,
        migration.version,
      ]);
    }
    await sqlite.runPatiently('commit');
  } catch (error) {
    sqlite.run('rollback');
    throw error;
  }
}

function schemaVersion(sqlite: SqliteConnection, path: string, name: string): number {
  const tables = sqlite.run(`select name from sqlite_master where type = 'table'`).rows as { name: string }[];
  if (tables.length === 0) return 0;
  if (!tables.some((table) => table.name === 'swapctl_schema')) {
    throw new StorageError(
      `The database ${path} belongs to another program.`,
      'Name another file; swapctl never changes a database that is not its own.',
    );
  }
  const [row] = sqlite.run('select version from swapctl_schema where name = ?', [name]).rows as {
    version: number;
  }[];
  return row?.version ?? 0;
}

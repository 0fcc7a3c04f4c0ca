import { type CompiledQuery, Kysely } from 'kysely';
import { StorageError } from '../../../base/errors.ts';
import type { Database, DatabaseOptions, Durability, Migration, PreparedQuery } from '../database.ts';
import { DEFAULT_SCHEMA_NAME, InMemory } from '../database.ts';
import { NEVER_OVERWRITTEN, UncreatableError, UnwritableError } from '../failures.ts';
import { memoryUri, SqliteConnection } from './connection.ts';
import { createSqliteFile } from './create.ts';
import { SqliteDriver, sqliteDialect, WalFlusher } from './driver.ts';
import { inspectSqliteFile, throughLink } from './file.ts';
import { migrateSqlite, schemaScript } from './migrations.ts';
import { openReadOnly, type ReadOnlyConnection } from './read-only.ts';

const BUSY_TIMEOUT_MS = 10_000;

/** Opens a SQLite file, creating or migrating it as needed; see {@link Database}. */
export async function openSqlite<Schema>(
  named: string,
  migrations: readonly Migration[],
  options: DatabaseOptions,
): Promise<Database<Schema>> {
  const path = throughLink(named);
  const name = options.name ?? DEFAULT_SCHEMA_NAME;
  try {
    prepareFile(path, migrations, options);
  } catch (error) {
    if (options.mayBeMissing !== true || !(error instanceof UncreatableError)) throw error;
    return openNone<Schema>(migrations, name, error);
  }
  const busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT_MS;
  const writer = new SqliteConnection(path, busyTimeout);
  try {
    await writer.runPatiently('pragma journal_mode = wal');
    setDurability(writer, options);
    await migrateSqlite(writer, path, name, migrations, options.onUpgradeWait);
  } catch (error) {
    writer.close();
    const readOnly =
      options.mayOnlyRead === true && error instanceof UnwritableError
        ? openReadOnly(path, name, migrations)
        : undefined;
    if (readOnly === undefined) throw error;
    return new UnwritableDatabase<Schema>(readOnly, error);
  }
  const flusher = options.durability === 'background' ? new WalFlusher(path) : undefined;
  return new SqliteDatabase<Schema>(writer, flusher, () => {
    const second = new SqliteConnection(path, busyTimeout);
    setDurability(second, options);
    return second;
  });
}

/** A database that does not exist and cannot be created: reading finds nothing, and writing throws `problem`. */
async function openNone<Schema>(
  migrations: readonly Migration[],
  name: string,
  problem: UncreatableError,
): Promise<Database<Schema>> {
  const connection = new SqliteConnection('in memory', 0, memoryUri(new InMemory().name));
  await migrateSqlite(connection, 'in memory', name, migrations);
  return new UnwritableDatabase<Schema>({ connection, forget: () => undefined }, problem);
}

/** Opens a database in memory and brings its schema up to date. */
export async function openSqliteInMemory<Schema>(
  location: InMemory,
  migrations: readonly Migration[],
  { busyTimeout = BUSY_TIMEOUT_MS, name = DEFAULT_SCHEMA_NAME }: DatabaseOptions,
): Promise<Database<Schema>> {
  const place = 'in memory';
  const connect = (): SqliteConnection => {
    const connection = new SqliteConnection(place, busyTimeout, memoryUri(location.name));
    // SQLite would sort long lists in a temporary file.
    connection.run('pragma temp_store = memory');
    return connection;
  };
  const writer = connect();
  try {
    await migrateSqlite(writer, place, name, migrations);
  } catch (error) {
    writer.close();
    throw error;
  }
  return new SqliteDatabase<Schema>(writer, undefined, connect);
}

function prepareFile(
  path: string,
  migrations: readonly Migration[],
  { name = DEFAULT_SCHEMA_NAME, durability, allowEmptyFile = false }: DatabaseOptions,
): void {
  const found = inspectSqliteFile(path);
  if (found === 'nothing') createSqliteFile(path, schemaScript(name, migrations), durability !== 'memory');
  if (found === 'empty file' && !allowEmptyFile) {
    throw new StorageError(`The database ${path} is damaged: it is empty.`, NEVER_OVERWRITTEN);
  }
}

const SYNCHRONOUS: Readonly<Record<Durability, string>> = {
  disk: 'full',
  background: 'normal',
  memory: 'off',
};

function setDurability(sqlite: SqliteConnection, { durability = 'disk' }: DatabaseOptions): void {
  sqlite.run(`pragma synchronous = ${SYNCHRONOUS[durability]}`);
}

/** A database that can only be read; writing throws `problem`. */
class UnwritableDatabase<Schema> implements Database<Schema> {
  readonly kind = 'sqlite';
  readonly kysely: Kysely<Schema>;
  readonly #readOnly: ReadOnlyConnection;
  readonly #problem: unknown;

  constructor(readOnly: ReadOnlyConnection, problem: unknown) {
    this.#readOnly = readOnly;
    this.#problem = problem;
    const driver = new SqliteDriver(readOnly.connection, undefined);
    this.kysely = new Kysely<Schema>({ dialect: sqliteDialect(driver) });
  }

  async transaction<T>(): Promise<T> {
    throw this.#problem;
  }

  prepare<Row>({ sql }: CompiledQuery<Row>): PreparedQuery<Row> {
    return async (parameters) =>
      (await this.#readOnly.connection.runPatiently(sql, parameters)).rows as readonly Row[];
  }

  async close(): Promise<void> {
    this.#readOnly.connection.close();
    this.#readOnly.forget();
  }
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
    this.kysely = new Kysely<Schema>({ dialect: sqliteDialect(this.#driver) });
  }

  async transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
    const result = await this.kysely.transaction().execute(work);
    // Not in the driver's commit, so that the next transaction need not wait for the disk.
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

import { Kysely } from 'kysely';
import { StorageError } from '../../../base/errors.ts';
import type { Database, DatabaseOptions, Migration } from '../database.ts';
import { DEFAULT_SCHEMA_NAME, InMemory } from '../database.ts';
import { NEVER_OVERWRITTEN, UncreatableError, UnwritableError } from '../failures.ts';
import { memoryUri, SqliteConnection } from './connection.ts';
import { createSqliteFile } from './create.ts';
import { SqliteDriver, sqliteDialect } from './driver.ts';
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
    writer.synchronize('full');
    await migrateSqlite(writer, { path, name, migrations }, options.onUpgradeWait);
  } catch (error) {
    writer.close();
    const readOnly =
      options.mayOnlyRead === true && error instanceof UnwritableError
        ? openReadOnly(path, name, migrations)
        : undefined;
    if (readOnly === undefined) throw error;
    return new ReadOnlyDatabase<Schema>(readOnly, error);
  }
  return new SqliteDatabase<Schema>(writer, (timeout = busyTimeout) => {
    const other = new SqliteConnection(path, timeout);
    other.synchronize('normal');
    return other;
  });
}

/** A database that does not exist and cannot be created: reading finds nothing, and writing throws `problem`. */
async function openNone<Schema>(
  migrations: readonly Migration[],
  name: string,
  problem: UncreatableError,
): Promise<Database<Schema>> {
  const connection = new SqliteConnection('in memory', 0, memoryUri(new InMemory().name));
  await migrateSqlite(connection, { path: 'in memory', name, migrations });
  return new ReadOnlyDatabase<Schema>({ connection, forget: () => undefined }, problem);
}

/** Opens a database in memory and brings its schema up to date. */
export async function openSqliteInMemory<Schema>(
  location: InMemory,
  migrations: readonly Migration[],
  { busyTimeout = BUSY_TIMEOUT_MS, name = DEFAULT_SCHEMA_NAME }: DatabaseOptions,
): Promise<Database<Schema>> {
  const displayName = 'in memory';
  const connect = (timeout = busyTimeout): SqliteConnection => {
    const connection = new SqliteConnection(displayName, timeout, memoryUri(location.name));
    // SQLite would sort long lists in a temporary file.
    connection.run('pragma temp_store = memory');
    return connection;
  };
  const writer = connect();
  try {
    await migrateSqlite(writer, { path: displayName, name, migrations });
  } catch (error) {
    writer.close();
    throw error;
  }
  return new SqliteDatabase<Schema>(writer, connect);
}

function prepareFile(
  path: string,
  migrations: readonly Migration[],
  { name = DEFAULT_SCHEMA_NAME, allowEmptyFile = false }: DatabaseOptions,
): void {
  const found = inspectSqliteFile(path);
  if (found === 'nothing') createSqliteFile(path, schemaScript(name, migrations));
  if (found === 'empty file' && !allowEmptyFile)
    throw new StorageError(`The database ${path} is damaged: it is empty.`, NEVER_OVERWRITTEN);
}

/** A database that can only be read; writing throws `problem`. */
class ReadOnlyDatabase<Schema> implements Database<Schema> {
  readonly kind = 'sqlite';
  readonly kysely: Kysely<Schema>;
  readonly relaxed: Kysely<Schema>;
  readonly #readOnly: ReadOnlyConnection;
  readonly #problem: unknown;

  constructor(readOnly: ReadOnlyConnection, problem: unknown) {
    this.#readOnly = readOnly;
    this.#problem = problem;
    this.kysely = queryBuilder(readOnly.connection);
    this.relaxed = this.kysely;
  }

  async transaction<T>(): Promise<T> {
    throw this.#problem;
  }

  outside(): Kysely<Schema> {
    return this.kysely;
  }

  async close(): Promise<void> {
    this.#readOnly.connection.close();
    this.#readOnly.forget();
  }
}

function queryBuilder<Schema>(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: sqliteDialect(new SqliteDriver(connection)) });
}

class SqliteDatabase<Schema> implements Database<Schema> {
  readonly kind = 'sqlite';
  readonly kysely: Kysely<Schema>;
  readonly relaxed: Kysely<Schema>;
  readonly #driver: SqliteDriver;
  readonly #connect: (busyTimeout?: number) => SqliteConnection;
  readonly #others: SqliteConnection[] = [];

  constructor(writer: SqliteConnection, connect: (busyTimeout?: number) => SqliteConnection) {
    this.#driver = new SqliteDriver(writer);
    this.#connect = connect;
    this.kysely = new Kysely<Schema>({ dialect: sqliteDialect(this.#driver) });
    this.relaxed = new Kysely<Schema>({ dialect: sqliteDialect(this.#driver.relaxed()) });
  }

  outside(busyTimeout?: number): Kysely<Schema> {
    const other = this.#connect(busyTimeout);
    this.#others.push(other);
    return queryBuilder(other);
  }

  transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
    return this.kysely.transaction().execute(work);
  }

  async close(): Promise<void> {
    for (const other of this.#others) other.close();
    await this.#driver.acquireConnection();
    await this.#driver.destroy();
    await this.#driver.releaseConnection();
  }
}

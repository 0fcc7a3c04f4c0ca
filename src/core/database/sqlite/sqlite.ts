import { Kysely } from 'kysely';
import { StorageError } from '../../../base/errors.ts';
import type { Database, DatabaseOptions, Migration } from '../database.ts';
import { DEFAULT_SCHEMA_NAME, InMemory } from '../database.ts';
import { NEVER_OVERWRITTEN, UncreatableError, UnwritableError } from '../failures.ts';
import { memoryUri, SqliteConnection } from './connection.ts';
import { createSqliteFile } from './create.ts';
import { sqliteDialect, sqliteDrivers } from './driver.ts';
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
  const target = { displayName: path, name, migrations };
  const busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT_MS;
  const writer = new SqliteConnection(path, busyTimeout);
  try {
    await writer.runPatiently('pragma journal_mode = wal');
    writer.setSynchronous('full');
    await migrateSqlite(writer, target, options.onUpgradeWait);
  } catch (error) {
    writer.close();
    const readOnly =
      options.mayOnlyRead === true && error instanceof UnwritableError ? openReadOnly(target) : undefined;
    if (readOnly === undefined) throw error;
    return readOnlyDatabase<Schema>(readOnly, error);
  }
  return sqliteDatabase<Schema>(writer, (timeout = busyTimeout) => {
    const other = new SqliteConnection(path, timeout);
    other.setSynchronous('normal');
    return other;
  });
}

/** A database that does not exist and cannot be created: reading finds nothing, and writing throws `problem`. */
async function openNone<Schema>(migrations: readonly Migration[], name: string, problem: UncreatableError) {
  const connection = new SqliteConnection('in memory', 0, memoryUri(new InMemory().name));
  await migrateSqlite(connection, { displayName: 'in memory', name, migrations });
  return readOnlyDatabase<Schema>({ connection, forget: () => undefined }, problem);
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
    await migrateSqlite(writer, { displayName, name, migrations });
  } catch (error) {
    writer.close();
    throw error;
  }
  return sqliteDatabase<Schema>(writer, connect);
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
function readOnlyDatabase<Schema>(
  { connection, forget }: ReadOnlyConnection,
  problem: unknown,
): Database<Schema> {
  const kysely = queryBuilder<Schema>(connection);
  return {
    kind: 'sqlite',
    kysely,
    relaxed: kysely,
    outside: () => kysely,
    transaction: () => Promise.reject(problem),
    close: async () => {
      connection.close();
      forget();
    },
  };
}

function queryBuilder<Schema>(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: sqliteDialect(sqliteDrivers(connection).durable) });
}

function sqliteDatabase<Schema>(
  writer: SqliteConnection,
  connect: (busyTimeout?: number) => SqliteConnection,
): Database<Schema> {
  const { durable, relaxed } = sqliteDrivers(writer);
  const kysely = new Kysely<Schema>({ dialect: sqliteDialect(durable) });
  const others: SqliteConnection[] = [];
  return {
    kind: 'sqlite',
    kysely,
    relaxed: new Kysely<Schema>({ dialect: sqliteDialect(relaxed) }),
    outside: (busyTimeout) => {
      const other = connect(busyTimeout);
      others.push(other);
      return queryBuilder(other);
    },
    transaction: (work) => kysely.transaction().execute(work),
    close: async () => {
      for (const other of others) other.close();
      const connection = await durable.acquireConnection();
      await durable.destroy();
      await durable.releaseConnection(connection);
    },
  };
}

import { Socket } from 'node:net';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { systemCode } from '../../../base/files.ts';
import {
  type Database,
  type DatabaseFacts,
  type DatabaseOptions,
  DEFAULT_SCHEMA_NAME,
  dueMigrations,
  type Migration,
  type SchemaTarget,
  VERSION_TABLE,
} from '../database.ts';
import { translateFailure } from '../failures.ts';
import { pooledDriver } from './driver.ts';
import { type ConnectionTarget, loginFailure, loginOf, validUrl } from './login.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 1_000;
const BUSY_TIMEOUT_MS = 10_000;
/** A process that hangs inside a transaction loses it, and its locks, after this time. */
const IDLE_IN_TRANSACTION_MS = 3_000;
/** Extra wait for the server's own timeout error, which says more than ours. */
const GRACE_MS = 250;
const KEEP_ALIVE_MS = 10_000;
const INT8 = 20;

/** Opens a PostgreSQL database, migrating it as needed under a lock; see {@link Database}. */
export async function openPostgres<Schema>(
  url: string,
  migrations: readonly Migration[],
  options: DatabaseOptions,
): Promise<Database<Schema>> {
  const connected = await connect(url, options);
  const { pool, sockets, displayName, login } = connected;
  try {
    const name = options.name ?? DEFAULT_SCHEMA_NAME;
    await migratePostgres(pool, { displayName, name, migrations }, options.onUpgradeWait);
  } catch (error) {
    await endPool(pool, sockets);
    throw openingFailure(error, displayName, login);
  }
  return postgresDatabase<Schema>(connected);
}

/** Reads the facts of a PostgreSQL database without changing it. Throws StorageError for one that cannot be reached. */
export async function inspectPostgres(url: string, name: string): Promise<DatabaseFacts> {
  const { pool, sockets, displayName, login } = await connect(url, {});
  try {
    const version = (await schemaVersion(pool, name)) || null;
    return { kind: 'postgres', displayName, version, denied: await deniedTo(pool, version === null) };
  } catch (error) {
    throw openingFailure(error, displayName, login);
  } finally {
    await endPool(pool, sockets);
  }
}

/** Why a pool cannot make the tables, or write to those that are there; null if it can. */
async function deniedTo(pool: pg.Pool, isNew: boolean): Promise<string | null> {
  const { rows } = await pool.query<{
    readOnly: boolean;
    role: string;
    schema: string | null;
    makes: boolean;
    writes: boolean;
  }>(
    `select current_setting('transaction_read_only')::bool as "readOnly", current_user as role,
      current_schema() as schema, has_schema_privilege(current_schema(), 'create') as makes,
      (select coalesce(bool_or(has_any_column_privilege(oid, 'update')), true)
        from pg_class where relkind = 'r' and (relnamespace, relowner) in
          (select relnamespace, relowner from pg_class where oid = to_regclass('swapctl_schema'))) as writes`,
  );
  const [found] = rows;
  if (found === undefined) return null;
  if (found.readOnly) return 'it is read-only, perhaps a standby';
  if (isNew && found.schema === null) return 'the search_path has no schema that exists';
  if (isNew && !found.makes)
    return `the role ${found.role} may not create tables in the schema ${found.schema}`;
  return found.writes ? null : `the role ${found.role} may not write to the tables`;
}

function openingFailure(error: unknown, displayName: string, login: ConnectionTarget): Error {
  return loginFailure(error, displayName, login) ?? translateFailure(error, displayName);
}

/** A pool that connects when the first query is sent, with its sockets and a name for it in errors. */
type Pool = ReturnType<typeof makePool>;

/**
 * A pool of connections that keep their settings; behind a pooler that gives each transaction another connection, such
 * as PgBouncer, or where the server would forget commits in a crash or refuse those that waited for a lock, one of
 * transactions that begin with theirs.
 */
async function connect(given: string, options: DatabaseOptions): Promise<Pool> {
  const url = validUrl(given);
  const displayName = displayNameOf(url);
  const login = await loginOf(url, displayName);
  const usual = makePool(displayName, login, options, false);
  try {
    const { rows } = await usual.pool.query(
      `select current_setting('${CANARY}') = '${IDLE_IN_TRANSACTION_MS / 1000}s'
        and current_setting('synchronous_commit') <> 'off'
        and current_setting('default_transaction_isolation') = 'read committed' as fits`,
    );
    if (rows[0]?.fits === true) return usual;
  } catch (error) {
    if (systemCode(error) !== PROTOCOL_VIOLATION) {
      await endPool(usual.pool, usual.sockets);
      throw openingFailure(error, displayName, login);
    }
  }
  await endPool(usual.pool, usual.sockets);
  return makePool(displayName, login, options, true);
}

/** The setting that shows whether connections keep those that they were opened with. */
const CANARY = 'idle_in_transaction_session_timeout';
/** PgBouncer's error code for a setting that it does not pass on. */
const PROTOCOL_VIOLATION = '08P01';

function makePool(displayName: string, login: ConnectionTarget, options: DatabaseOptions, setsEach: boolean) {
  const sockets = new Set<Socket>();
  const statementTimeout = options.statementTimeout ?? STATEMENT_TIMEOUT_MS;
  const limits = {
    statement_timeout: statementTimeout,
    lock_timeout: Math.min(options.busyTimeout ?? BUSY_TIMEOUT_MS, statementTimeout - 1),
    [CANARY]: IDLE_IN_TRANSACTION_MS,
  };
  const pool = new pg.Pool({
    connectionString: login.url,
    stream: () => tracked(new Socket(), sockets),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Detects a server that vanished without closing the connection, as the kernel's keep-alive does.
    query_timeout: statementTimeout + GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    allowExitOnIdle: true,
    types: { getTypeParser },
    ...(setsEach ? {} : limits),
  });
  // A server that stops breaks idle connections; the next query opens a new one or fails with its own error.
  pool.on('error', () => undefined);
  // The pool's own listener is gone before ours is there: an error in the packet that opens a session would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Connections that are opened with their settings keep them; for the others, each transaction begins with them.
  const each = { ...limits, synchronous_commit: 'on', transaction_isolation: "'read committed'" };
  const settings = setsEach ? each : null;
  return { pool, sockets, displayName, login, settings };
}

function tracked(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

/** Closes a pool cleanly, or by force after a while: a server that hangs never answers. */
async function endPool(pool: pg.Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, END_TIMEOUT_MS);
  try {
    await pool.end();
  } finally {
    clearTimeout(late);
    // The pool forgets a connection whose login fails, and the server would wait a minute for the rest of it.
    for (const socket of sockets) socket.destroySoon();
  }
}

function postgresDatabase<Schema>({ pool, sockets, displayName, settings }: Pool): Database<Schema> {
  const kysely = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => pooledDriver(pool, displayName, settings),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    kind: 'postgres',
    kysely,
    relaxed: kysely,
    outside: () => kysely,
    transaction: (work) => kysely.transaction().execute(work),
    close: () => endPool(pool, sockets),
  };
}

/** Parses 64-bit integers as numbers: times are whole milliseconds and fit a double. pg 8 gives text by default. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8 && format !== 'binary') return (text) => Number.parseInt(text, 10);
  return pg.types.getTypeParser(oid, format as 'text');
}

/** Host and database of a URL, for display: without user and password. */
function displayNameOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${(searchParams.get('host') ?? host) || 'localhost'}${pathname}`;
}

/** Key of the advisory lock; any number, as long as every swapctl uses the same. */
const MIGRATION_LOCK = 7_905_021;

/** Migrating many rows takes long, and other servers that start during this time wait for it. */
const MIGRATION_TIMEOUT_MS = 600_000;
const SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const ignore = (): void => undefined;

/** Brings the schema of a name up to date, in one transaction under a lock. Throws StorageError for a newer one. */
async function migratePostgres(
  pool: pg.Pool,
  { displayName, name, migrations }: SchemaTarget,
  onWait: () => void = ignore,
): Promise<void> {
  if (dueMigrations(migrations, await schemaVersion(pool, name), displayName).length === 0) return;
  const client = await pool.connect();
  // A connection that breaks while idle must not end the process; the next query fails.
  client.on('error', ignore);
  const limits = { query_timeout: MIGRATION_TIMEOUT_MS };
  const query = (text: string, values: (string | number)[] = []) => client.query({ text, values, ...limits });
  try {
    await query('begin');
    for (const setting of SETTINGS) await query(`set local ${setting} = ${MIGRATION_TIMEOUT_MS}`);
    const { rows } = await query('select pg_try_advisory_xact_lock($1) as mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine !== true) {
      onWait();
      await query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    }
    await query(VERSION_TABLE);
    for (const migration of dueMigrations(migrations, await schemaVersion(client, name), displayName)) {
      for (const statement of migration.statements) await query(statement);
      await query(
        'insert into swapctl_schema (name, version) values ($1, $2) on conflict (name) do update set version = excluded.version',
        [name, migration.version],
      );
    }
    await query('commit');
    client.off('error', ignore);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Version of the schema of a name; 0 where it has none yet. */
async function schemaVersion(runner: pg.Pool | pg.PoolClient, name: string): Promise<number> {
  const { rows: found } = await runner.query(`select to_regclass('swapctl_schema') is not null as made`);
  if (found[0]?.made !== true) return 0;
  const select = 'select version from swapctl_schema where name = $1';
  return (await runner.query<{ version: number }>(select, [name])).rows[0]?.version ?? 0;
}

import type pg from 'pg';
import type { Migration } from '../database.ts';
import { dueMigrations, VERSION_TABLE } from '../migrations.ts';

/** Key of the advisory lock; any number, as long as every swapctl uses the same. */
const MIGRATION_LOCK = 7_905_021;

/** Migrating many rows takes long, and other servers that start meanwhile wait for it. */
const MAX_WAIT_MS = 600_000;
const SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const ignore = (): void => undefined;

/** Brings the schema of a name up to date, in one transaction under a lock. Throws StorageError for a newer one. */
export async function migratePostgres(
  pool: pg.Pool,
  place: string,
  name: string,
  migrations: readonly Migration[],
  onWait: () => void = ignore,
): Promise<void> {
  if (dueMigrations(migrations, await schemaVersion(pool, name), place).length === 0) return;
  const client = await pool.connect();
  // A connection that breaks while idle must not end the process; the next query fails.
  client.on('error', ignore);
  const query = (text: string, values: readonly unknown[] = []) => {
    const config = { text, values: [...values], query_timeout: MAX_WAIT_MS };
    return client.query(config);
  };
  try {
    await query('begin');
    for (const setting of SETTINGS) await query(`set local ${setting} = ${MAX_WAIT_MS}`);
    const { rows } = await query('select pg_try_advisory_xact_lock($1) as mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine !== true) {
      onWait();
      await query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    }
    await query(VERSION_TABLE);
    for (const migration of dueMigrations(migrations, await schemaVersion(client, name), place)) {
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
export async function schemaVersion(runner: pg.Pool | pg.PoolClient, name: string): Promise<number> {
  const { rows: found } = await runner.query(`select to_regclass('swapctl_schema') is not null as made`);
  if (found[0]?.made !== true) return 0;
  const { rows } = await runner.query('select version from swapctl_schema where name = $1', [name]);
  const version: unknown = rows[0]?.version;
  return typeof version === 'number' ? version : 0;
}

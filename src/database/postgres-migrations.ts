import type pg from 'pg';
import type { Migration } from './database.ts';
import { dueMigrations, VERSION_TABLE } from './schema-version.ts';

/** Any number will do, as long as every swapctl takes the same one. */
const MIGRATION_LOCK = 7_905_021;

/** Brings the schema of a name up to date, in one transaction under a lock. Throws StorageError for a newer one. */
export async function migratePostgres(
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

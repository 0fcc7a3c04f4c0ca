import { sql } from 'kysely';
import type { Database, DatabaseOptions, Migration } from '../../../src/database/database.ts';
import { InMemory } from '../../../src/database/database.ts';
import { openSqliteInMemory } from '../../../src/database/sqlite/sqlite.ts';

/** Opens a simulated disk. */
type Mount = <Schema>(
  migrations: readonly Migration[],
  options: DatabaseOptions,
) => Promise<Database<Schema>>;

/** Simulated disks by their paths. */
export const mounts = new Map<string, Mount>();

export function isPostgresUrl(_location: unknown): _location is never {
  return false;
}

/** The sandbox's database is in memory; a ledger is on a simulated disk. */
export async function openDatabase<Schema>(
  location: string | InMemory,
  migrations: readonly Migration[],
  options: DatabaseOptions = {},
): Promise<Database<Schema>> {
  if (location instanceof InMemory) {
    const database = await openSqliteInMemory<Schema>(location, migrations, options);
    await sql`pragma journal_mode = memory`.execute(database.kysely);
    await sql`pragma synchronous = off`.execute(database.kysely);
    return database;
  }
  const mount = mounts.get(location);
  if (mount === undefined) throw new TypeError(`No simulated disk at ${location}.`);
  return mount<Schema>(migrations, options);
}

export function inspectDatabase(): never {
  throw new TypeError('The simulation inspects no database.');
}

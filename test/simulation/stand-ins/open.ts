import { resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Database, DatabaseOptions, Migration } from '../../../src/core/database/database.ts';
import { InMemory } from '../../../src/core/database/database.ts';
import * as real from '../../../src/core/database/open.ts';
import { openSqliteInMemory } from '../../../src/core/database/sqlite/sqlite.ts';

/** Opens a simulated disk. */
type Mount = <Schema>(
  migrations: readonly Migration[],
  options: DatabaseOptions,
) => Promise<Database<Schema>>;

/** Simulated disks by their paths. */
export const mounts = new Map<string, Mount>();

/** The folder of a machine whose databases are real files, also in place of a server; null in a world without one. */
export const machine: { folder: string | null } = { folder: null };

export function isPostgresUrl(location: string | InMemory): location is string {
  return machine.folder !== null && real.isPostgresUrl(location);
}

/** What is open of the database in memory of the sandbox, by name and turn: the next world opens the same again. */
const open = new Map<string, Database<unknown>>();
let opened = 0;

/** The next database that is opened is the first one of its world. */
export function beginAnew(): void {
  opened = 0;
}

/** The sandbox's database is in memory; a ledger is on a simulated disk. */
export async function openDatabase<Schema>(
  location: string | InMemory,
  migrations: readonly Migration[],
  options: DatabaseOptions = {},
): Promise<Database<Schema>> {
  if (location instanceof InMemory) {
    const turn = `${options.name} ${opened++}`;
    const database = open.get(turn) ?? (await openInMemory(location, migrations, options));
    open.set(turn, database);
    return {
      kind: database.kind,
      kysely: database.kysely,
      transaction: (work: never) => database.transaction(work),
      outside: () => outsideOf(database),
      close: async () => undefined,
    } as unknown as Database<Schema>;
  }
  if (machine.folder !== null) {
    const file = isPostgresUrl(location) ? 'server.db' : location;
    return real.openDatabase<Schema>(resolve(machine.folder, file), migrations, options);
  }
  const mount = mounts.get(location);
  if (mount === undefined) throw new TypeError(`No simulated disk at ${location}.`);
  return mount<Schema>(migrations, options);
}

const outsides = new Map<Database<unknown>, Kysely<unknown>>();

/** One connection for all worlds. */
function outsideOf(database: Database<unknown>): Kysely<unknown> {
  const outside = outsides.get(database) ?? database.outside();
  outsides.set(database, outside);
  return outside;
}

async function openInMemory(location: InMemory, migrations: readonly Migration[], options: DatabaseOptions) {
  const database = await openSqliteInMemory<unknown>(location, migrations, options);
  await sql`pragma journal_mode = memory`.execute(database.kysely);
  await sql`pragma synchronous = off`.execute(database.kysely);
  return database;
}

export function inspectDatabase(...of: Parameters<typeof real.inspectDatabase>) {
  if (machine.folder === null) throw new TypeError('The simulation inspects no database.');
  return real.inspectDatabase(...of);
}

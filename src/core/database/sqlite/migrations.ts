import { dueMigrations, type Migration, type SchemaTarget, VERSION_TABLE } from '../database.ts';
import { BusyError, foreignDatabase } from '../failures.ts';
import type { SqliteConnection } from './connection.ts';

/** Brings the schema of a name up to date, in one transaction. Throws StorageError for a newer or foreign one. */
export async function migrateSqlite(
  sqlite: SqliteConnection,
  target: SchemaTarget,
  onWait: () => void = () => undefined,
): Promise<void> {
  if (dueSqliteMigrations(sqlite, target).length === 0) return;
  try {
    sqlite.run('begin immediate');
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    onWait();
    await sqlite.runPatiently('begin immediate');
  }
  try {
    sqlite.run(VERSION_TABLE);
    for (const { version, statements } of dueSqliteMigrations(sqlite, target)) {
      for (const statement of statements) sqlite.run(statement);
      sqlite.run('insert or replace into swapctl_schema (name, version) values (?, ?)', [
        target.name,
        version,
      ]);
    }
    await sqlite.runPatiently('commit');
  } catch (error) {
    sqlite.rollBack();
    throw error;
  }
}

/** The migrations that the tables of a name still need. Throws StorageError for a newer schema or a foreign one. */
export function dueSqliteMigrations(
  sqlite: SqliteConnection,
  { displayName, name, migrations }: SchemaTarget,
) {
  return dueMigrations(migrations, schemaVersion(sqlite, displayName, name), displayName);
}

/** SQL that creates the tables of a name in a new database, with their version. */
export function schemaScript(name: string, migrations: readonly Migration[]): string {
  const due = dueMigrations(migrations, 0, 'that is new');
  const version = due.at(-1)?.version ?? 0;
  const mark = `insert into swapctl_schema (name, version) values ('${name.replaceAll("'", "''")}', ${version})`;
  return [VERSION_TABLE, ...due.flatMap(({ statements }) => statements), mark].join(';\n');
}

/** Version of the schema of a name; 0 where it has no tables yet. Throws StorageError for the tables of another program. */
export function schemaVersion(sqlite: SqliteConnection, path: string, name: string): number {
  const tables = sqlite.run(`select name from sqlite_master where type = 'table'`).rows as { name: string }[];
  if (tables.length === 0) return 0;
  if (!tables.some((table) => table.name === 'swapctl_schema')) throw foreignDatabase(path);
  const [row] = sqlite.run('select version from swapctl_schema where name = ?', [name]).rows as {
    version: number;
  }[];
  return row?.version ?? 0;
}

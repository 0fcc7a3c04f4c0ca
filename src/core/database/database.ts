import { randomUUID } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import { StorageError } from '../../base/errors.ts';

/** One step of a schema: an increasing version, and SQL that both SQLite and PostgreSQL understand. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** A named schema in a database, with its migrations; errors show the database as `displayName`, its path or host. */
export interface SchemaTarget {
  readonly displayName: string;
  readonly name: string;
  readonly migrations: readonly Migration[];
}

/** Options of {@link Database}, all with defaults. */
export interface DatabaseOptions {
  /** Name under which the schema's version is stored; schemas with different names may share a database. */
  readonly name?: string;
  /** Maximum wait for other writers, in milliseconds, after which all waiting callers get an error. Default 10,000. */
  readonly busyTimeout?: number;
  /** Maximum time for one statement on a PostgreSQL server, in milliseconds. Default 15,000. */
  readonly statementTimeout?: number;
  /** Open a SQLite file that cannot be written for reading only; writing then throws the reason. Default false. */
  readonly mayOnlyRead?: boolean;
  /** Open an empty database if the SQLite file cannot be created; writing then throws the reason. Default false. */
  readonly mayBeMissing?: boolean;
  /** Called where another process is upgrading the schema, before a wait for it that may be long. */
  readonly onUpgradeWait?: () => void;
  /** Accept an empty SQLite file as a new database. Default false: it is refused as truncated. */
  readonly allowEmptyFile?: boolean;
}

/** A query that a PostgreSQL connection keeps planned under its name, which no other text may have. */
export interface NamedQuery extends CompiledQuery {
  readonly name: string;
}

/**
 * A SQLite file or a PostgreSQL database with one schema. Ids and amounts are text, times whole milliseconds, booleans
 * 0 and 1, JSON text. Every failure is a StorageError, except {@link UniqueViolationError}.
 */
export interface Database<Schema> {
  readonly kind: 'sqlite' | 'postgres';
  /** The query builder. On SQLite its statements take turns with the transactions of this object. */
  readonly kysely: Kysely<Schema>;
  /** Like `kysely`, for what can be written again: on SQLite, a power cut may undo its latest writes. */
  readonly relaxed: Kysely<Schema>;
  /**
   * A query builder for statements outside all transactions, which does not wait for those of this object: on SQLite it has
   * a connection of its own, and its writes may be lost in a power cut. `busyTimeout` replaces that of the options there.
   */
  outside(busyTimeout?: number): Kysely<Schema>;
  /** Runs work in one durable transaction, on SQLite a writing one from the start; rolled back if the work throws. */
  transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** Finishes running work and closes; the object cannot be used afterwards. */
  close(): Promise<void>;
}

/** Which pages of a SQLite file are checked for damage: none, all if that takes less than a second, or all. */
export type PageCheck = 'none' | 'quick' | 'deep';

/** Facts about a database, read without changing it. */
export interface DatabaseFacts {
  readonly kind: 'sqlite' | 'postgres';
  /** Path of the file, or host and name of the database, without user and password. */
  readonly displayName: string;
  /** Version of the schema; null if there is no database yet, or no tables of swapctl in it. */
  readonly version: number | null;
  /** Permissions that the login lacks, as a clause; null if none are known to be missing. */
  readonly denied: string | null;
  /** Whether the pages of a file were not checked, because it is too large for a quick check. */
  readonly unchecked?: boolean;
}

/** A database in the memory of this process. All who open one object share its tables, until the last one closes. */
export class InMemory {
  /** Name of SQLite's own, unique in the process. */
  readonly name = `/swapctl-${randomUUID()}`;
}

/** Place of a database: the path of a file, a `postgres://` URL, or memory. */
export type DatabaseLocation = string | InMemory;

export const DEFAULT_SCHEMA_NAME = 'main';

export const VERSION_TABLE = `create table if not exists swapctl_schema (name text not null primary key, version bigint not null)`;

/** The migrations that a schema at `version` still needs, in order. Throws StorageError for a newer version. */
export function dueMigrations(migrations: readonly Migration[], version: number, displayName: string) {
  const ordered = [...migrations].sort((a, b) => a.version - b.version);
  const newest = ordered.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new StorageError(
      `The database ${displayName} was written by a newer swapctl (schema ${version}, this one knows ${newest}).`,
      'Update swapctl, or use another database.',
    );
  }
  return ordered.filter((migration) => migration.version > version);
}

import type { CompiledQuery, Kysely } from 'kysely';

/** One step of a schema: a version that only grows, and SQL that SQLite and PostgreSQL both understand. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** How safe from a power cut a write is once it is done, see {@link DatabaseOptions}. */
export type Durability = 'disk' | 'background' | 'memory';

/** Settings of {@link Database} that most callers leave alone. */
export interface DatabaseOptions {
  /** Name under which the schema's version is kept; sets of tables with different names may share a database. */
  readonly name?: string;
  /** Longest wait for others to finish writing, in milliseconds; all that wait by then get an error. Default 10,000. */
  readonly busyTimeout?: number;
  /** Longest time for one statement on a PostgreSQL server, in milliseconds. Default 15,000. */
  readonly statementTimeout?: number;
  /** Most connections to a PostgreSQL server. Default 8. */
  readonly connections?: number;
  /**
   * `disk`: a write is durable when it is done; a SQLite file blocks the event loop meanwhile. `background`: the same,
   * but only those wait who asked for the write, for servers. `memory`: not durable, for counts that may be lost.
   * Default `disk`.
   */
  readonly durability?: Durability;
  /**
   * A SQLite file that cannot be written to, on a full disk or a read-only one, is opened for reading alone; writing
   * throws what stood in the way. Default false.
   */
  readonly mayOnlyRead?: boolean;
  /** An empty SQLite file is a new database, and not one that was cut off. Default false. */
  readonly allowEmptyFile?: boolean;
}

/** A query compiled once: called with its parameters in the order in which they were compiled. */
export type PreparedQuery<Row> = (parameters: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * A SQLite file or a PostgreSQL database with one schema. Text ids, amounts as text, times as whole
 * milliseconds, 0 and 1 for booleans, JSON as text. Whatever goes wrong is a StorageError, except a
 * {@link UniqueViolationError}.
 */
export interface Database<Schema> {
  readonly kind: 'sqlite' | 'postgres';
  /** The query builder. On SQLite its statements take turns with the transactions of this object. */
  readonly kysely: Kysely<Schema>;
  /** Runs work in one durable transaction; a write transaction from the start on SQLite. Rolled back if it throws. */
  transaction<T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T>;
  /**
   * One statement for a hot path: no query builder at run time. It is always on its own, outside any transaction,
   * so it sees committed data only.
   */
  prepare<Row>(query: CompiledQuery<Row>): PreparedQuery<Row>;
  /** Finishes what is under way and closes; the object is of no use afterwards. */
  close(): Promise<void>;
}

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as Engine from '@photostructure/sqlite';
import { StorageError } from '../../../base/errors.ts';
import { isWindows, type System, systemCode } from '../../../base/files.ts';
import { BusyError, translateFailure } from '../failures.ts';

type Statement = ReturnType<SqliteHandle['prepare']>;

interface CachedStatement {
  readonly statement: Statement;
  /** Of the rows that it gives; empty if it gives none. */
  readonly columns: readonly string[];
}

const CACHED_STATEMENTS = 200;
const FIRST_WAIT_MS = 1;
const MAX_WAIT_MS = 20;

/** Rows of a statement, or how many rows it changed. */
interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number | undefined;
}

/** One connection to an existing SQLite file, with its prepared statements. Every error is mapped to ours. */
export class SqliteConnection {
  readonly #database: SqliteHandle;
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly #statements = new Map<string, CachedStatement>();

  constructor(path: string, busyTimeout: number, uri = sqliteUri(path)) {
    this.#path = path;
    this.#busyTimeout = busyTimeout;
    try {
      this.#database = new DatabaseSync(uri);
    } catch (error) {
      throw translateFailure(error, path);
    }
  }

  /** Runs one statement; throws immediately while another connection is writing. */
  run(sql: string, parameters: readonly unknown[] = []): SqliteResult {
    try {
      return this.#run(sql, parameters);
    } catch (error) {
      throw translateFailure(error, this.#path);
    }
  }

  /**
   * Runs one statement, waiting for other writers without blocking the event loop: the writer may be another connection
   * of this process, which can only finish while the event loop runs.
   *
   * @param since start of the wait in milliseconds of `performance.now()`; earlier for callers that already waited
   */
  async runPatiently(sql: string, parameters: readonly unknown[] = [], since = performance.now()) {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        return this.#run(sql, parameters);
      } catch (error) {
        const failure = translateFailure(error, this.#path);
        if (!(failure instanceof BusyError) || performance.now() - since >= this.#busyTimeout) throw failure;
      }
      await delay(wait);
    }
  }

  /** Whether a commit waits for the disk (`full`), or may be undone by a power cut (`normal`); outside a transaction. */
  setSynchronous(level: 'full' | 'normal'): void {
    try {
      // Not a prepared statement: SQLite sets it while it compiles one.
      this.#database.exec(`pragma synchronous = ${level}`);
    } catch (error) {
      throw translateFailure(error, this.#path);
    }
  }

  /** Rolls back after an error, and ignores its own: SQLite may have done it already, and the first error counts. */
  rollBack(): void {
    try {
      this.#run('rollback', []);
    } catch {
      // No transaction is open anymore.
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Moves the log into the file, so that the file alone is the database; not while another connection reads. */
  tidy(): void {
    try {
      this.#run('pragma wal_checkpoint(truncate)', []);
    } catch {
      // The next connection reads the log and moves it.
    }
  }

  #run(sql: string, parameters: readonly unknown[]): SqliteResult {
    const { statement, columns } = this.#prepare(sql);
    for (const parameter of parameters) refuseUnportable(parameter);
    if (columns.length > 0)
      return { rows: rowsOf(columns, statement.all(...parameters)), changes: undefined };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  #prepare(sql: string): CachedStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const made = { statement, columns: statement.columns().map(({ name }) => name) };
    // Rows that the engine makes as arrays and we as objects take a quarter less of the time of a long list.
    statement.setReturnArrays?.(true);
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}

/** Rows as objects; an engine that cannot give arrays (Node before 24) has made them already. */
function rowsOf(columns: readonly string[], rows: readonly unknown[]): readonly unknown[] {
  return rows.map((values) => {
    if (!Array.isArray(values)) return values;
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at];
    return row;
  });
}

/** Throws for values that the two databases treat differently: NUL characters, dates, booleans. */
function refuseUnportable(parameter: unknown): void {
  if (typeof parameter === 'string') {
    if (parameter.includes('\0')) throw new TypeError('Text with a NUL character cannot be stored');
  } else if (typeof parameter === 'boolean' || (typeof parameter === 'object' && parameter !== null)) {
    throw new TypeError('Only text, numbers and null can be stored');
  }
}

/**
 * URI under which SQLite opens an existing file. A missing file is not created, and every name is a file's, even
 * `:memory:`. `how` holds SQLite's URI parameters. SQLite knows no hosts in it: a network share of Windows is in the
 * path.
 */
export function sqliteUri(path: string, how = 'mode=rw', system?: System): string {
  const { host, pathname } = pathToFileURL(path, { windows: isWindows(system) });
  return `file://${host === '' ? '' : `//${host}`}${pathname}?${how}`;
}

/** URI of a database in memory; the connections of this process that name it share it. */
export function memoryUri(name: string): string {
  return `file:${name}?vfs=memdb`;
}

/** Size of a database's write-ahead log (`-wal`) in bytes; 0 if there is none. */
export function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Rows of a SQLite file, read without creating, migrating, locking or waiting. Throws if file or table is missing. */
export function glance(path: string, sql: string, parameters: readonly unknown[]): readonly unknown[] {
  // A log is there while others have the file open; without one there is nothing to lock against.
  const how = walBytes(path) > 0 ? 'mode=ro' : 'mode=ro&immutable=1';
  const connection = new SqliteConnection(path, 0, sqliteUri(path, how));
  try {
    return connection.run(sql, parameters).rows;
  } finally {
    connection.close();
  }
}

const PACKAGE = '@photostructure/sqlite';

/** SQLite: Node's own from 22.16, before that the optional package, which has the same interface. */
export const { DatabaseSync } = engineOfNode() ?? engineOfPackage();

type SqliteHandle = InstanceType<typeof DatabaseSync>;

/** Node's SQLite, unless it knows neither URIs (before 22.15) nor the columns of a statement (before 22.16). */
function engineOfNode(): typeof Engine | undefined {
  const engine = withoutItsWarning(
    () => process.getBuiltinModule('node:sqlite') as typeof Engine | undefined,
  );
  return engine !== undefined && 'columns' in engine.StatementSync.prototype ? engine : undefined;
}

/** Loads Node's SQLite without the warning that it is experimental, which Node 22 writes to stderr; others are shown. */
function withoutItsWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  const quieter = (...args: Parameters<typeof emitWarning>): void => {
    const [warning, kind] = args as readonly unknown[];
    if (kind === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
    emitWarning.apply(process, args);
  };
  process.emitWarning = quieter as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function engineOfPackage(): typeof Engine {
  try {
    // Called indirectly: a bundler must not look for it, because Node has an SQLite of its own since 22.16.
    return Reflect.apply(createRequire(import.meta.url), undefined, [PACKAGE]);
  } catch (error) {
    throw new StorageError(
      systemCode(error) === 'MODULE_NOT_FOUND'
        ? `SQLite is missing: Node ${process.versions.node} has no usable SQLite, and the optional package ${PACKAGE} is not installed.`
        : `SQLite cannot be loaded: ${error instanceof Error ? error.message.split('\n')[0] : error}.`,
      'Use Node 22.16 or newer, or reinstall swapctl from the same package file as before, without --omit=optional.',
    );
  }
}

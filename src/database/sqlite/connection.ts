import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { isBusy, translateFailure } from '../failures.ts';

type SqliteHandle = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<SqliteHandle['prepare']>;

interface CachedStatement {
  readonly statement: Statement;
  readonly givesRows: boolean;
  readonly writes: boolean;
}

const READING = /^\s*(?:select|pragma)\b/i;
const CACHED_STATEMENTS = 200;
const FIRST_WAIT_MS = 1;
const MAX_WAIT_MS = 20;

/** Rows of a statement, and how many rows it changed where it gives none. */
interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number | undefined;
  /** It may have changed something. */
  readonly wrote: boolean;
}

/** One connection to a SQLite file that is there, with its prepared statements; every failure leaves it translated. */
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

  /** Runs one statement now; throws at once when someone else is writing. */
  run(sql: string, parameters: readonly unknown[] = []): SqliteResult {
    try {
      return this.#run(sql, parameters);
    } catch (error) {
      throw translateFailure(error, this.#path);
    }
  }

  /**
   * Runs one statement, waiting for other writers without blocking the event loop: one of them may be another
   * connection of this very process, which can only finish while we let it run.
   *
   * @param since when the waiting began, in milliseconds of the process: earlier for whoever waited for a turn as well
   */
  async runPatiently(
    sql: string,
    parameters: readonly unknown[] = [],
    since = performance.now(),
  ): Promise<SqliteResult> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        return this.#run(sql, parameters);
      } catch (error) {
        if (!isBusy(error) || performance.now() - since >= this.#busyTimeout)
          throw translateFailure(error, this.#path);
      }
      await delay(wait);
    }
  }

  /** Rolls back after a failure; SQLite may have done so by itself, and what failed first is what counts. */
  rollBack(): void {
    try {
      this.#run('rollback', []);
    } catch {
      // No transaction is open any more.
    }
  }

  /** Closes the connection; its statements are of no use afterwards. */
  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Moves the log into the file, so that the file alone is the database; not where someone else still reads. */
  tidy(): void {
    try {
      this.#run('pragma wal_checkpoint(truncate)', []);
    } catch {
      // Whoever opens the database next reads the log and tidies up.
    }
  }

  #run(sql: string, parameters: readonly unknown[]): SqliteResult {
    const { statement, givesRows, writes: wrote } = this.#prepare(sql);
    for (const parameter of parameters) refuseUnportable(parameter);
    if (givesRows) return { rows: statement.all(...parameters), changes: undefined, wrote };
    return { rows: [], changes: statement.run(...parameters).changes, wrote };
  }

  #prepare(sql: string): CachedStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const made = { statement, givesRows: statement.columns().length > 0, writes: !READING.test(sql) };
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}

/** PostgreSQL stores no NUL character, and a Date or boolean means different things to the two databases. */
function refuseUnportable(parameter: unknown): void {
  if (typeof parameter === 'string') {
    if (parameter.includes('\0')) throw new TypeError('Text with a NUL character cannot be stored');
  } else if (typeof parameter === 'boolean' || (typeof parameter === 'object' && parameter !== null)) {
    throw new TypeError('Only text, numbers and null can be stored');
  }
}

/**
 * A file that is there already as SQLite is to open it: never made where it is missing, and a file whatever its name,
 * for SQLite takes `:memory:` for something else. `how` are SQLite's own parameters.
 */
export function sqliteUri(path: string, how = 'mode=rw'): string {
  // SQLite's URIs have no place for a Windows network share.
  return platform() === 'win32' ? path : `${pathToFileURL(path).href}?${how}`;
}

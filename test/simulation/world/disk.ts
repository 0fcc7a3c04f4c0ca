import { Kysely } from 'kysely';
import type { Database, DatabaseOptions, Migration } from '../../../src/core/database/database.ts';
import { translateFailure } from '../../../src/core/database/failures.ts';
import { memoryUri, SqliteConnection } from '../../../src/core/database/sqlite/connection.ts';
import { sqliteDialect, sqliteDrivers } from '../../../src/core/database/sqlite/driver.ts';
import { migrateSqlite } from '../../../src/core/database/sqlite/migrations.ts';
import { LEDGER_MIGRATIONS } from '../../../src/core/ledger/migrations.ts';
import { mounts } from '../stand-ins/open.ts';
import { Committed, JOURNAL } from './committed.ts';
import type { Faults } from './faults.ts';
import { never, type Process } from './process.ts';
import { Reused } from './reused.ts';

const SHARE_OF_PAUSES = 0.3;
const MAX_DISK_MS = 6;
const SLOW_MS = 4_000;

/** The ledger's database, and what is open of it. */
class Kept extends Reused {
  readonly reads = new Map<string, ReturnType<Reused['keeper']['prepare']>>();
  /** Connections of processes that have ended. */
  readonly idle: SqliteConnection[] = [];
}

let kept: Kept | null = null;

/** The disk of a ledger: it outlives all processes. */
export class Disk extends Committed {
  readonly #kept: Kept;
  readonly #faults: Faults;
  #opened = 0;
  /** Hears of a commit that a power cut may undo. */
  onRelaxed: (process: Process) => void = () => undefined;

  constructor(faults: Faults) {
    kept ??= new Kept();
    super(kept.keeper, kept.reads);
    this.#kept = kept;
    this.#faults = faults;
  }

  /** Creates the ledger's tables. */
  async begin(): Promise<void> {
    const { idle, keeper } = this.#kept;
    if (idle.length > 0) return this.#kept.empty('journal');
    idle.push(await this.#connect(LEDGER_MIGRATIONS, {}));
    keeper.exec(JOURNAL);
  }

  /** Path under which a process opens its ledger. */
  pathFor(process: Process): string {
    this.#opened += 1;
    const path = `/simulated/ledger-${this.#opened}`;
    const mount = async <Schema>(migrations: readonly Migration[], options: DatabaseOptions) => {
      mounts.delete(path);
      const sqlite = this.#kept.idle.pop() ?? (await this.#connect(migrations, options));
      const connection = new Connection(this, process, sqlite);
      process.atEnd(() => {
        connection.end();
        this.#kept.idle.push(sqlite);
      });
      return databaseOn<Schema>(connection);
    };
    mounts.set(path, mount);
    return path;
  }

  async #connect(migrations: readonly Migration[], { name = 'ledger' }: DatabaseOptions) {
    const sqlite = new SqliteConnection('ledger', 10_000, memoryUri(this.#kept.memory.name));
    for (const pragma of ['temp_store = memory', 'journal_mode = memory', 'synchronous = off'])
      sqlite.run(`pragma ${pragma}`);
    await migrateSqlite(sqlite, { displayName: 'ledger', name, migrations });
    return sqlite;
  }

  /** The policy of an account, as its owner stored it before the world began. */
  guard(account: string, policy: string, ownerKey: string | null): void {
    const insert = this.#kept.keeper.prepare(
      `insert into guards (account, version, policy, suspensions, owner_key) values (?, 0, ?, '[]', ?)`,
    );
    insert.run(account, policy, ownerKey);
  }

  /** Changes what is stored, past the product and the model. */
  corrupt(sql: string, ...parameters: readonly (string | number)[]): void {
    const { keeper } = this.#kept;
    const [{ last } = { last: 0 }] = this.rows<{ last: number }>(
      'select coalesce(max(rowid), 0) as last from journal',
    );
    keeper.prepare(sql).run(...parameters);
    keeper.prepare('delete from journal where rowid > ?').run(last);
  }

  /** What happens before a statement: the process waits, is killed, or is refused. */
  async before(process: Process, sql: string, isInTransaction: boolean, isEnd: boolean): Promise<void> {
    if (!process.isAlive) await never();
    const faults = this.#faults;
    if (isInTransaction) {
      if (faults.strikes('killed', process.name)) process.end();
    } else {
      if (faults.random.chance(SHARE_OF_PAUSES)) await process.pause(faults.random.between(1, MAX_DISK_MS));
      if (faults.strikes('disk-slow', process.name)) await process.pause(faults.random.between(50, SLOW_MS));
    }
    if (!process.isAlive) await never();
    const { writes } = kindOf(sql);
    if (
      (writes && faults.strikes('disk-full', process.name)) ||
      (isEnd && faults.strikes('end-unwritten', process.name))
    )
      throw translateFailure({ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'ledger');
    if (writes) {
      this.isDirty = true;
      this.lastWriter = process;
    }
  }
}

/** A connection of a process, whose statements are points at which things may go wrong. */
class Connection {
  readonly #disk: Disk;
  readonly #process: Process;
  readonly #sqlite: SqliteConnection;
  #isInTransaction = false;
  #isRelaxed = false;

  constructor(disk: Disk, process: Process, sqlite: SqliteConnection) {
    this.#disk = disk;
    this.#process = process;
    this.#sqlite = sqlite;
  }

  async runPatiently(sql: string, parameters: readonly unknown[] = [], since?: number) {
    await this.#disk.before(this.#process, sql, this.#isInTransaction, writesEnd(sql, parameters));
    if (sql === 'begin immediate') this.#isInTransaction = true;
    if (sql === 'commit' && this.#isRelaxed) this.#disk.onRelaxed(this.#process);
    const result = await this.#sqlite.runPatiently(sql, parameters, since);
    if (sql === 'commit') this.#isInTransaction = false;
    return result;
  }

  setSynchronous(level: 'normal' | 'full'): void {
    this.#isRelaxed = level === 'normal';
  }

  rollBack(): void {
    this.#isInTransaction = false;
    if (this.#process.isAlive) this.#sqlite.rollBack();
  }

  /** The process is gone: what it has not committed never happened. */
  end(): void {
    if (this.#isInTransaction) this.#sqlite.rollBack();
  }

  tidy(): void {}

  close(): void {}
}

/** Whether a statement records that a swap has ended. */
function writesEnd(sql: string, parameters: readonly unknown[]): boolean {
  return parameters[kindOf(sql).ends] === 1;
}

/** Whether a statement writes, and which of its parameters says that a swap has ended; -1 for none. */
interface Kind {
  readonly writes: boolean;
  readonly ends: number;
}

const kinds = new Map<string, Kind>();

function kindOf(sql: string): Kind {
  const known = kinds.get(sql);
  if (known !== undefined) return known;
  const [before = '', after] = sql.split('"final" = ?');
  const ends = after === undefined ? -1 : (before.match(/\?/g) ?? []).length;
  const kind = { writes: !/^\s*(select|pragma|rollback)/i.test(sql), ends };
  kinds.set(sql, kind);
  return kind;
}

function databaseOn<Schema>(connection: Connection): Database<Schema> {
  // The driver uses these methods alone; the class has private fields, which no other can have.
  const { durable, relaxed } = sqliteDrivers(connection as unknown as SqliteConnection);
  const kysely = new Kysely<Schema>({ dialect: sqliteDialect(durable) });
  return {
    kind: 'sqlite',
    kysely,
    relaxed: new Kysely<Schema>({ dialect: sqliteDialect(relaxed) }),
    transaction: (work) => kysely.transaction().execute(work),
    outside: () => {
      throw new TypeError('The ledger has one connection.');
    },
    close: async () => connection.close(),
  };
}

import { join } from 'node:path';
import pg from 'pg';
import { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { TABLES } from '../../../src/core/ledger/schema.ts';
import { Committed, JOURNAL } from '../../simulation/world/committed.ts';
import type { Runner } from '../../simulation/world/process.ts';

type Keeper = InstanceType<typeof DatabaseSync>;

/** The ledger shared by real processes, as the model reads it. */
export interface WatchedLedger {
  readonly committed: Committed;
  /** Value of SWAPCTL_LEDGER for a process. */
  locationFor(process: string): string;
  /** Reads changes committed since the last call, and calls `onTransaction` after one or several transactions. */
  sync(onTransaction: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Watches a ledger on a SQLite file, which does not show who wrote. */
export async function watchFile(path: string, anyone: Runner): Promise<WatchedLedger> {
  const committed = new Committed(await journaled(path));
  return {
    committed,
    locationFor: () => path,
    sync: async (onTransaction) => {
      committed.isDirty = true;
      committed.lastWriter = anyone;
      onTransaction();
    },
    close: async () => undefined,
  };
}

/** Creates a ledger on a file, with a journal of its changes. */
async function journaled(path: string): Promise<Keeper> {
  await (await openLedger(path)).close();
  const keeper = new DatabaseSync(path, { timeout: 10_000 });
  keeper.exec(JOURNAL);
  return keeper;
}

/** Triggers that record every change with its transaction and process. */
const NOTES = `
  create table soak_notes (n bigserial primary key, transaction bigint not null default txid_current(),
    writer text not null default current_setting('application_name'), name text not null, before json, after json);
  create function soak_note() returns trigger language plpgsql as $$ begin
    insert into soak_notes (name, before, after) values (tg_table_name,
      case when tg_op = 'INSERT' then null else row_to_json(old) end,
      case when tg_op = 'DELETE' then null else row_to_json(new) end);
    return null;
  end $$;
  ${Object.keys(TABLES)
    .map(
      (name) =>
        `create trigger soak after insert or update or delete on ${name} for each row execute function soak_note();`,
    )
    .join('\n')}`;

/** Reads recorded changes by transaction; row locks keep two changes of one row in the order of their commits. */
const TAKE = `with taken as (delete from soak_notes returning *)
  select *, max(n) over (partition by transaction) as last from taken order by last, n`;

type Row = Readonly<Record<string, string | number | null>>;

interface Note {
  readonly transaction: string;
  readonly writer: string;
  readonly name: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

/**
 * Watches a ledger on PostgreSQL: its transactions are repeated in the order of their commits on a SQLite file in `folder`,
 * which the model reads. `runnerOf` finds a process by its name.
 */
export async function watchPostgres(
  url: string,
  folder: string,
  runnerOf: (name: string) => Runner | undefined,
): Promise<WatchedLedger> {
  await (await openLedger(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(NOTES);
  const keeper = await journaled(join(folder, 'mirror.db'));
  keeper.exec('pragma synchronous = off; pragma foreign_keys = off');
  const committed = new Committed(keeper);
  const mirror = new Mirror(keeper);
  return {
    committed,
    locationFor: (process) => `${url}?application_name=${encodeURIComponent(process)}`,
    sync: async (onTransaction) => {
      const { rows } = await client.query<Note>(TAKE);
      for (const [index, note] of rows.entries()) {
        mirror.repeat(note);
        if (rows[index + 1]?.transaction === note.transaction) continue;
        committed.isDirty = true;
        committed.lastWriter = runnerOf(note.writer) ?? null;
        onTransaction();
      }
    },
    close: () => client.end(),
  };
}

/** A copy of a ledger on which changes are repeated. */
class Mirror {
  readonly #keeper: Keeper;
  readonly #statements = new Map<string, ReturnType<Keeper['prepare']>>();

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  repeat({ name, before, after }: Note): void {
    const columns = Object.keys(before ?? after ?? {});
    const whole = columns.map((column) => `${column} is ?`).join(' and ');
    const was = columns.map((column) => before?.[column] ?? null);
    const is = columns.map((column) => after?.[column] ?? null);
    if (before === null)
      this.#run(`insert into ${name} (${columns}) values (${columns.map(() => '?')})`, is, name);
    else if (after === null) this.#run(`delete from ${name} where ${whole}`, was, name);
    else
      this.#run(
        `update ${name} set ${columns.map((column) => `${column} = ?`)} where ${whole}`,
        [...is, ...was],
        name,
      );
  }

  #run(sql: string, values: readonly (string | number | null)[], name: string): void {
    const statement = this.#statements.get(sql) ?? this.#keeper.prepare(sql);
    this.#statements.set(sql, statement);
    const { changes } = statement.run(...values);
    if (Number(changes) !== 1) throw new Error(`A change of ${name} cannot be repeated: ${values}`);
  }
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { SwapctlError } from '../../base/errors.ts';
import type { Database } from '../../core/database/database.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
import { COPIED_TABLES, type SandboxSchema, type StateTable } from '../state/schema.ts';
import { changeState, requireSameState, StateReplaced, stateRow } from '../state/state-row.ts';
import { type CopyTools, release, SLICE, slicesOf, sweep } from './generations.ts';

type Tx = Kysely<SandboxSchema>;

/** Maximum number of restarts of a copy because the state was replaced. */
const MAX_TRIES = 20;

type CopiedTable = keyof typeof COPIED_TABLES;

/** Columns with a time that a copy may shift. */
const TIMES: readonly string[] = ['created_at', 'changes_from', 'changes_until', 'at'];

/** From which generation to which; and the milliseconds by which recorded times are shifted. */
interface CopyJob {
  readonly from: number;
  readonly to: number;
  readonly shift: number;
}

/** The state under its lock, and a complete generation that may take its place. */
interface CompleteCopy {
  readonly state: StateTable;
  readonly generation: number;
}

/**
 * Copies the current state while requests change it, and calls `finish` in the transaction in which the copy is complete
 * and nothing else can change. `shiftOf` returns the milliseconds by which recorded times are shifted.
 */
export function copyCurrent<T>(
  tools: CopyTools,
  shiftOf: (state: StateTable) => number,
  finish: (
    tx: Tx,
    copy: CompleteCopy & { readonly began: StateTable; readonly orders: number },
  ) => Promise<T>,
): Promise<T> {
  const { database } = tools;
  return intoNewGeneration(tools, async (to, began) => {
    const job = { from: began.generation, to, shift: shiftOf(began) };
    let copied = 0;
    for (let { orders_made: until, generation } = began; generation === job.from; ) {
      await copySlices(database, job, copied, until);
      copied = until;
      ({ orders_made: until, generation } = await stateRow(database.kysely));
      if (until - copied < SLICE[database.kind]) break;
    }
    // Most of it before the transaction, in which creates wait.
    const before = await ordersIn(database.kysely, to, sql`<= ${copied}`);
    return database.transaction(async (tx) => {
      const state = await changeState(tx, {});
      requireSameState(state, began);
      await requireKept(tx, to);
      await copyOrders(tx, job, sql`> ${copied}`);
      await copyAgain(tx, job, began.changes_made, copied);
      await copySmallTables(tx, job);
      const orders = before + (await ordersIn(tx, to, sql`> ${copied}`));
      return finish(tx, { state, generation: to, began, orders });
    });
  });
}

/** Copies a generation that does not change; `finish` as in {@link copyCurrent}. */
export function copyGeneration<T>(
  tools: CopyTools,
  from: number,
  finish: (tx: Tx, copy: CompleteCopy) => Promise<T>,
): Promise<T> {
  const { database } = tools;
  return intoNewGeneration(tools, async (to) => {
    const job = { from, to, shift: 0 };
    await copySlices(database, job, 0, ORDER_NUMBERS);
    return database.transaction(async (tx) => {
      const state = await changeState(tx, {});
      await requireKept(tx, to);
      await copySmallTables(tx, job);
      return finish(tx, { state, generation: to });
    });
  });
}

/** Makes an empty generation with the partners of the current one, in a transaction. */
export async function emptyGeneration(tx: Tx, wall: number): Promise<CompleteCopy> {
  const state = await addGeneration(tx, wall);
  const generation = state.generations_made;
  await copyRows(tx, 'sandbox_partners', { from: state.generation, to: generation, shift: 0 });
  return { state, generation };
}

/** Makes a generation the current one, in the transaction that completed it. */
export async function makeCurrent(tx: Tx, { state, generation }: CompleteCopy): Promise<void> {
  await release(tx, state.generation);
  await tx.updateTable('sandbox_state').set({ generation }).execute();
}

/** Runs a copy, which begins again where the state that it began with was replaced. */
async function intoNewGeneration<T>(
  tools: CopyTools,
  work: (to: number, began: StateTable) => Promise<T>,
): Promise<T> {
  const { database, wallClock } = tools;
  for (let tries = 1; ; tries += 1) {
    const began = await database.transaction((tx) => addGeneration(tx, wallClock()));
    const to = began.generations_made;
    try {
      return await work(to, began);
    } catch (error) {
      await database.transaction((tx) => release(tx, to)).catch(() => undefined);
      if (!(error instanceof StateReplaced)) throw error;
      if (tries === MAX_TRIES)
        throw new SwapctlError('storage_failed', 'The sandbox had too many concurrent loads and resets.', {
          hint: 'Try again when they are done.',
        });
    } finally {
      await sweep(tools);
    }
  }
}

async function addGeneration(tx: Tx, wall: number): Promise<StateTable> {
  const state = await changeState(tx, { generations_made: 1 });
  await tx.insertInto('sandbox_generations').values({ id: state.generations_made, begun_at: wall }).execute();
  return state;
}

/** Throws StateReplaced if a copy took so long that its rows were removed. */
async function requireKept(tx: Tx, generation: number): Promise<void> {
  const row = await tx
    .selectFrom('sandbox_generations')
    .select('id')
    .where('id', '=', generation)
    .executeTakeFirst();
  if (row === undefined) throw new StateReplaced();
}

async function copySlices(
  database: Database<SandboxSchema>,
  job: CopyJob,
  after: number,
  until: number,
): Promise<void> {
  for await (const [first, last] of slicesOf(database, job.from, after, until))
    await database.transaction((tx) => copyOrders(tx, job, sql`between ${first + 1} and ${last}`));
}

/** Copies the orders in a range of sequences, with their events. */
async function copyOrders(tx: Tx, job: CopyJob, range: RawBuilder<unknown>): Promise<void> {
  await copyRows(tx, 'sandbox_orders', job, sql`and sequence ${range}`);
  await copyRows(tx, 'sandbox_events', job, sql`and order_sequence ${range}`);
}

/** Copies those again that were changed since, of the orders that were copied already. */
async function copyAgain(tx: Tx, job: CopyJob, since: number, copied: number): Promise<void> {
  // The first condition is that of the index.
  const changed = sql`in (select sequence from sandbox_orders
    where generation = ${job.from} and changed > 0 and changed > ${since} and sequence <= ${copied})`;
  await sql`delete from sandbox_events where generation = ${job.to} and order_sequence ${changed}`.execute(
    tx,
  );
  await sql`delete from sandbox_orders where generation = ${job.to} and sequence ${changed}`.execute(tx);
  await copyOrders(tx, job, changed);
}

async function copySmallTables(tx: Tx, job: CopyJob): Promise<void> {
  await copyRows(tx, 'sandbox_partners', job);
  await copyRows(tx, 'sandbox_faults', job);
}

async function copyRows(tx: Tx, table: CopiedTable, job: CopyJob, where = sql``): Promise<void> {
  const names = Object.keys(COPIED_TABLES[table]);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(
    names.map((name) =>
      TIMES.includes(name) ? sql`${sql.ref(name)} + ${sql.lit(job.shift)}` : sql.ref(name),
    ),
  );
  await sql`insert into ${sql.table(table)} (generation, ${columns})
    select ${sql.lit(job.to)}, ${values} from ${sql.table(table)} where generation = ${job.from} ${where}`.execute(
    tx,
  );
}

async function ordersIn(db: Tx, generation: number, range: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    select count(*) as orders from sandbox_orders where generation = ${generation} and sequence ${range}`.execute(
    db,
  );
  return rows[0]?.orders ?? 0;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { COPIED_TABLES, type SandboxSchema, type StateTable } from '../state/schema.ts';
import { changeState } from '../state/state-row.ts';

/*
 * All rows of orders, events, partners and faults belong to a generation: that of the sandbox as it is now, or of a
 * snapshot. A generation is made and removed in one transaction, under the lock of the state, so that it is one moment of
 * everything. Requests that began on a generation that was replaced begin again.
 */

type Tx = Kysely<SandboxSchema>;
type CopiedTable = keyof typeof COPIED_TABLES;

/** Columns with a time that a copy may shift. */
const TIMES: readonly string[] = ['created_at', 'changes_from', 'changes_until', 'at'];

/** Orders that one statement copies: a second or two, much less than a statement may take. */
const SLICE = 50_000;

/** From which generation to which; and the milliseconds by which recorded times are shifted. */
interface CopyJob {
  readonly from: number;
  readonly to: number;
  readonly shift?: number;
}

/** Takes the lock of the state, and a number for a new generation: `generations_made`. */
export function beginGeneration(tx: Tx): Promise<StateTable> {
  return changeState(tx, { generations_made: 1 });
}

/** Copies all rows of a generation to another one; `shift` milliseconds are added to their recorded times. */
export async function copyGeneration(tx: Tx, job: CopyJob): Promise<void> {
  await copyPartners(tx, job);
  await copyRows(tx, 'sandbox_faults', job);
  const last = (await ordersOf(tx, job.from)).last ?? 0;
  for (let first = 1; first <= last; first += SLICE) {
    const range = sql`between ${first} and ${first + SLICE - 1}`;
    await copyRows(tx, 'sandbox_orders', job, sql`and sequence ${range}`);
    await copyRows(tx, 'sandbox_events', job, sql`and order_sequence ${range}`);
    // A server in this process answers in between.
    await nextTurn();
  }
}

export function copyPartners(tx: Tx, job: CopyJob): Promise<void> {
  return copyRows(tx, 'sandbox_partners', job);
}

async function copyRows(tx: Tx, table: CopiedTable, { from, to, shift = 0 }: CopyJob, where = sql``) {
  const names = Object.keys(COPIED_TABLES[table]);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(
    names.map((name) => (TIMES.includes(name) ? sql`${sql.ref(name)} + ${sql.lit(shift)}` : sql.ref(name))),
  );
  await sql`insert into ${sql.table(table)} (generation, ${columns})
    select ${sql.lit(to)}, ${values} from ${sql.table(table)} where generation = ${from} ${where}`.execute(
    tx,
  );
}

/** How many orders a generation has, and the sequence of the last one. */
export async function ordersOf(tx: Tx, generation: number) {
  return tx
    .selectFrom('sandbox_orders')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('sequence').as('last')])
    .where('generation', '=', generation)
    .executeTakeFirstOrThrow();
}

/** Makes the generation that {@link beginGeneration} numbered the current one, and removes the one before. */
export async function replaceCurrent(
  tx: Tx,
  { generation, generations_made }: Pick<StateTable, 'generation' | 'generations_made'>,
): Promise<void> {
  await removeGeneration(tx, generation);
  await tx.updateTable('sandbox_state').set({ generation: generations_made }).execute();
}

/** Removes all rows of a generation. */
export async function removeGeneration(tx: Tx, generation: number): Promise<void> {
  for (const table of Object.keys(COPIED_TABLES) as CopiedTable[])
    await sql`delete from ${sql.table(table)} where generation = ${generation}`.execute(tx);
}

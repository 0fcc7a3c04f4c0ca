import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { SwapctlError } from '../../base/errors.ts';
import type { Database } from '../../core/database/database.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
import type { SandboxSchema } from '../state/schema.ts';

/*
 * All rows of orders, events, partners and faults belong to a generation: that of the sandbox as it is now, or of a
 * snapshot. A copy fills a generation that nothing reads yet, slice by slice, and becomes current or a snapshot in one
 * short transaction. So requests continue during it and see all of the old state or all of the new.
 */

/** Orders of a slice: some 50 milliseconds on SQLite, during which creates wait. */
export const SLICE: Readonly<Record<DatabaseKind, number>> = { sqlite: 1000, postgres: 5000 };

/** Shortest pause after a slice, in milliseconds: others that wait for SQLite's lock ask for it every 20. */
const MIN_PAUSE_MS = 25;

/** A copy that is older belongs to a process that was killed. */
const MAX_COPY_MS = 3_600_000;

type DatabaseKind = Database<SandboxSchema>['kind'];
type Tx = Kysely<SandboxSchema>;
/** Everything that copying works with. */
export interface CopyTools {
  readonly database: Database<SandboxSchema>;
  readonly wallClock: () => number;
  /** Called with a sentence about anything that failed after the copy was complete. */
  readonly warn: (words: string) => void;
}

/** Gives up a generation, in a transaction; {@link sweep} then removes its rows. */
export async function release(tx: Tx, generation: number): Promise<void> {
  await tx.updateTable('sandbox_generations').set({ begun_at: 0 }).where('id', '=', generation).execute();
}

/** Removes the rows of abandoned generations, slice by slice. A failure is only a warning. */
export async function sweep({ database, wallClock, warn }: CopyTools): Promise<void> {
  const { kysely } = database;
  try {
    const unused = await kysely
      .selectFrom('sandbox_generations')
      .select('id')
      .where('begun_at', '<=', wallClock() - MAX_COPY_MS)
      .where('id', 'not in', kysely.selectFrom('sandbox_state').select('generation'))
      .where('id', 'not in', kysely.selectFrom('sandbox_snapshots').select('generation'))
      .execute();
    for (const { id } of unused) await removeGeneration(database, id);
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    warn(`Done, but rows that are no longer needed remain for now: ${error.message}`);
  }
}

async function removeGeneration(database: Database<SandboxSchema>, generation: number): Promise<void> {
  for await (const [after, until] of slicesOf(database, generation, 0, ORDER_NUMBERS))
    await database.transaction(async (tx) => {
      const range = sql`between ${after + 1} and ${until}`;
      await sql`delete from sandbox_events where generation = ${generation} and order_sequence ${range}`.execute(
        tx,
      );
      await sql`delete from sandbox_orders where generation = ${generation} and sequence ${range}`.execute(
        tx,
      );
    });
  await database.transaction(async (tx) => {
    for (const table of ['sandbox_partners', 'sandbox_faults'] as const)
      await tx.deleteFrom(table).where('generation', '=', generation).execute();
    await tx.deleteFrom('sandbox_generations').where('id', '=', generation).execute();
  });
}

/** Ranges of sequences that are changed one by one, with a pause after each in which others can write. */
export async function* slicesOf(
  database: Database<SandboxSchema>,
  generation: number,
  after: number,
  until: number,
): AsyncGenerator<readonly [number, number]> {
  for await (const range of rangesOf(database, generation, after, until)) {
    const began = performance.now();
    yield range;
    // As long as the slice took: a client would otherwise never get SQLite's lock from another process.
    if (range[1] < until) await pause(Math.max(MIN_PAUSE_MS, performance.now() - began));
  }
}

/** Ranges of sequences with some thousand orders each: after the first number, up to the second. */
export async function* rangesOf(
  { kysely, kind }: Database<SandboxSchema>,
  generation: number,
  after: number,
  until: number,
): AsyncGenerator<readonly [number, number]> {
  for (let first = after; first < until; ) {
    const last = await sql<{ sequence: number }>`select sequence from sandbox_orders
      where generation = ${generation} and sequence > ${first} and sequence <= ${until}
      order by sequence limit 1 offset ${SLICE[kind] - 1}`.execute(kysely);
    const end = last.rows[0]?.sequence ?? until;
    yield [first, end];
    first = end;
    await nextTurn();
  }
}

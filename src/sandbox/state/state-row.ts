import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../core/database/database.ts';
import { type SandboxSchema, STATE_ID, type StateTable } from './schema.ts';

/** The current generation, as part of a statement. */
export function currentGeneration(): RawBuilder<number> {
  return sql<number>`(select generation from sandbox_state where id = ${sql.lit(STATE_ID)})`;
}

/** The one row of `sandbox_state`, which all processes on the database share. */
export async function stateRow(tx: Kysely<SandboxSchema>): Promise<StateTable> {
  // Each request reads it, and the query builder takes longer than the database.
  const { rows } = await sql<StateTable>`select * from sandbox_state where id = ${STATE_ID}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new TypeError('The sandbox has no state.');
  return row;
}

const COUNTERS = [
  'orders_made',
  'partners_made',
  'faults_made',
  'generations_made',
  'clock_offset',
  'clock_rebased',
  'revision',
] as const satisfies readonly (keyof StateTable)[];

/**
 * Adds to the counters of the shared row and returns the new row. On PostgreSQL the row stays locked until the
 * transaction ends, so concurrent changes wait for each other.
 */
export async function changeState(
  tx: Kysely<SandboxSchema>,
  added: Partial<Pick<StateTable, (typeof COUNTERS)[number]>>,
): Promise<StateTable> {
  return tx
    .updateTable('sandbox_state')
    .set((eb) => Object.fromEntries(COUNTERS.map((name) => [name, eb(name, '+', added[name] ?? 0)])))
    .where('id', '=', STATE_ID)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The sandbox's time in milliseconds at a time of the wall clock, which does not matter while its clock is stopped. */
export function virtualTime(row: Pick<StateTable, 'clock_start' | 'clock_offset'>, wallTime: number): number {
  return (row.clock_start ?? wallTime) + row.clock_offset;
}

/** The state on which a request began was replaced, and nothing of the request took effect. */
export class StateReplaced extends Error {
  override readonly name = 'StateReplaced';

  constructor() {
    super('The state of the sandbox was replaced.');
  }
}

/** Throws {@link StateReplaced} unless the state is still the one that a request began on. */
export function requireSameState(
  { generation }: Pick<StateTable, 'generation'>,
  began: Pick<StateTable, 'generation'>,
): void {
  if (generation !== began.generation) throw new StateReplaced();
}

/**
 * Sets the sandbox's clock forward to a time that it had reached before the wall clock was set back; for every process
 * on the database, so that all show the same time.
 */
export async function catchUp(database: Database<SandboxSchema>, expected: number, wall: number) {
  return database.transaction(async (tx) => {
    const row = await changeState(tx, {});
    const behind = Math.ceil(expected - virtualTime(row, wall));
    // Another server on this machine has done it, or the clock is stopped.
    if (behind <= MIN_STEP_MS || row.clock_start !== null) return row;
    return changeState(tx, { clock_offset: behind, clock_rebased: behind, revision: 1 });
  });
}

/** Smallest step back that is corrected, in milliseconds; smaller ones are waited out. */
export const MIN_STEP_MS = 1000;

/**
 * Detects, by the monotonic clock, that the wall clock of this machine was set back. The sandbox's time must go on: a
 * swap whose window ended an hour ago must not wait for another day.
 */
export function wallClockSteps(monotonic: () => number) {
  /** The sandbox's time at the last check, and both clocks of this machine at that moment. */
  let last: { readonly time: number; readonly wall: number; readonly monotonic: number } | undefined;
  return {
    /**
     * The sandbox's time as it should be now if the wall clock was set back since the last check, otherwise undefined.
     */
    timeIfClockWasSetBack: (wall: number): number | undefined => {
      if (last === undefined) return undefined;
      const passed = monotonic() - last.monotonic;
      return wall - last.wall < passed - MIN_STEP_MS ? last.time + passed : undefined;
    },
    /** Records both clocks at a time of the sandbox. */
    note: (time: number, wall: number): void => {
      last = { time, wall, monotonic: monotonic() };
    },
  };
}

import type { Kysely } from 'kysely';
import type { Database } from '../../core/database/database.ts';
import { inGroups } from './in-groups.ts';
import { listPartners, type Partner } from './partners.ts';
import type { SandboxSchema, StateTable } from './schema.ts';
import { catchUp, currentGeneration, stateRow, virtualTime, wallClockSteps } from './state-row.ts';

/** One consistent read of clock, partners and faults. */
export interface StateReading {
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  /** Whether the clock is stopped, and moves only when it is advanced. */
  readonly standsStill: boolean;
  readonly seed: number;
  readonly masterKey: string;
  readonly hasFaults: boolean;
  /** Milliseconds by which each request moves the clock; 0 where it does not. */
  readonly clockTick: number;
  /** Grows when clock, partners or faults change, or orders are removed. */
  readonly revision: number;
  /** Changes when the state is replaced. */
  readonly generation: number;
  /** Partners by public key, in the order in which they were added. */
  readonly partners: ReadonlyMap<string, Partner>;
}

export type SharedState = ReturnType<typeof createSharedState>;

/**
 * Reads the state that all processes on a database share; unchanged partners and faults are not read again.
 *
 * @param began the state as it was opened
 * @param monotonic monotonic clock in milliseconds, from any origin
 */
export function createSharedState(
  database: Database<SandboxSchema>,
  began: Pick<StateTable, 'clock_start' | 'clock_offset'>,
  wallClock: () => number,
  monotonic: () => number,
) {
  const outside = database.outside();
  const steps = wallClockSteps(monotonic);
  const opened = wallClock();
  let ahead = virtualTime(began, opened) - opened;
  let standsStill = began.clock_start !== null;
  let known:
    | { readonly revision: number; readonly rest: Pick<StateReading, 'partners' | 'hasFaults'> }
    | undefined;
  let latest = Number.NEGATIVE_INFINITY;
  const goOnAfterStep = async (row: StateTable) => {
    const wall = wallClock();
    const expected = steps.timeIfClockWasSetBack(wall);
    return expected === undefined ? row : catchUp(database, expected, wall);
  };
  const readAlone = async (): Promise<StateReading> => {
    let row = await goOnAfterStep(await stateRow(outside));
    while (known?.revision !== row.revision) {
      const { revision } = row;
      const rest = await readRest(outside);
      row = await stateRow(outside);
      // Otherwise it is unknown to which revision the rest belongs: read again.
      if (row.revision === revision) known = { revision, rest };
      latest = Number.NEGATIVE_INFINITY;
    }
    standsStill = row.clock_start !== null;
    // After a small step back the time stays the same until the wall clock has caught up.
    const wall = wallClock();
    latest = Math.max(latest, virtualTime(row, wall));
    ahead = latest - wall;
    steps.note(latest, wall);
    const { revision, generation, seed, master_key: masterKey, clock_tick: clockTick } = row;
    return { now: latest, standsStill, clockTick, seed, masterKey, revision, generation, ...known.rest };
  };
  const readTogether = inGroups(async (requests: readonly undefined[]) => {
    const reading = await readAlone();
    return requests.map(() => reading);
  });
  /** Reads the state; callers in one turn of the event loop share it. */
  const read = () => readTogether(undefined);
  return {
    read,
    /** Whether the clock was stopped at the last read, so that time depends on the calls alone. */
    get standsStill() {
      return standsStill;
    },
    /** Milliseconds by which the sandbox's clock was ahead of the wall clock at the last read, or as it was opened. */
    get ahead() {
      return ahead;
    },
    /** Checks whether the wall clock was set back while there were no requests. */
    checkClock: async (): Promise<void> => {
      if (steps.timeIfClockWasSetBack(wallClock()) !== undefined) await read();
    },
  };
}

async function readRest(db: Kysely<SandboxSchema>): Promise<Pick<StateReading, 'partners' | 'hasFaults'>> {
  const partners = await listPartners(db);
  const fault = await db
    .selectFrom('sandbox_faults')
    .select('id')
    .where('generation', '=', currentGeneration())
    .limit(1)
    .executeTakeFirst();
  return {
    partners: new Map(partners.map((partner) => [partner.publicKey, partner])),
    hasFaults: fault !== undefined,
  };
}

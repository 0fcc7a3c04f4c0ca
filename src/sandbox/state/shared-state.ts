import type { Kysely } from 'kysely';
import type { Database } from '../../core/database/database.ts';
import { inGroups } from './in-groups.ts';
import { listPartners, type Partner } from './partners.ts';
import type { SandboxSchema, StateTable } from './schema.ts';
import { catchUp, currentGeneration, stateRow, virtualTime, WallClockSteps } from './state-row.ts';

/** One consistent read of clock, partners and faults. */
export interface Snapshot {
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

/** Reads the state that all processes on a database share; unchanged partners and faults are not read again. */
export class SharedState {
  readonly #database: Database<SandboxSchema>;
  readonly #wallClock: () => number;
  readonly #steps: WallClockSteps;
  readonly #outside: Kysely<SandboxSchema>;
  #known: { readonly revision: number; readonly rest: Pick<Snapshot, 'partners' | 'hasFaults'> } | undefined;
  #latest = Number.NEGATIVE_INFINITY;
  #standsStill: boolean;
  #ahead: number;
  readonly #readTogether: (request: undefined) => Promise<Snapshot>;

  /**
   * @param began the state as it was opened
   * @param steady monotonic clock in milliseconds, from any origin
   */
  constructor(
    database: Database<SandboxSchema>,
    began: Pick<StateTable, 'clock_start' | 'clock_offset'>,
    wallClock: () => number,
    steady: () => number,
  ) {
    this.#database = database;
    this.#outside = database.outside();
    this.#standsStill = began.clock_start !== null;
    this.#wallClock = wallClock;
    const wall = wallClock();
    this.#ahead = virtualTime(began, wall) - wall;
    this.#steps = new WallClockSteps(steady);
    this.#readTogether = inGroups(async (requests) => {
      const snapshot = await this.#read();
      return requests.map(() => snapshot);
    });
  }

  /** Whether the clock was stopped at the last read, so that time depends on the calls alone. */
  get standsStill(): boolean {
    return this.#standsStill;
  }

  /** Milliseconds by which the sandbox's clock was ahead of the wall clock at the last read, or as it was opened. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Checks whether the wall clock was set back while there were no requests. */
  async checkClock(): Promise<void> {
    if (this.#steps.expectedAfterStep(this.#wallClock()) !== undefined) await this.read();
  }

  /** Reads a snapshot; callers in one turn of the event loop share it. */
  read(): Promise<Snapshot> {
    return this.#readTogether(undefined);
  }

  async #read(): Promise<Snapshot> {
    let row = await this.#goOnAfterStep(await stateRow(this.#outside));
    while (this.#known?.revision !== row.revision) {
      const { revision } = row;
      const rest = await readRest(this.#outside);
      row = await stateRow(this.#outside);
      // Otherwise it is unknown to which revision the rest belongs: read again.
      if (row.revision === revision) this.#known = { revision, rest };
      this.#latest = Number.NEGATIVE_INFINITY;
    }
    this.#standsStill = row.clock_start !== null;
    // After a small step back the time stays the same until the wall clock has caught up.
    const wall = this.#wallClock();
    this.#latest = Math.max(this.#latest, virtualTime(row, wall));
    this.#ahead = this.#latest - wall;
    this.#steps.note(this.#latest, wall);
    const { revision, generation, seed, master_key: masterKey } = row;
    const clockTick = row.clock_tick;
    const clock = { now: this.#latest, standsStill: this.#standsStill, clockTick };
    return { ...clock, seed, masterKey, revision, generation, ...this.#known.rest };
  }

  async #goOnAfterStep(row: StateTable): Promise<StateTable> {
    const wall = this.#wallClock();
    const expected = this.#steps.expectedAfterStep(wall);
    return expected === undefined ? row : catchUp(this.#database, expected, wall);
  }
}

async function readRest(db: Kysely<SandboxSchema>): Promise<Pick<Snapshot, 'partners' | 'hasFaults'>> {
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

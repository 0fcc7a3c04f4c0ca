import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database, PreparedQuery } from '../../database/database.ts';
import { UsageError } from '../../errors.ts';
import { coalesce } from './batch.ts';
import { masterKey, partnerKeys } from './derive.ts';
import type { SandboxSchema, StateTable } from './schema.ts';
import { STATE_ID } from './schema.ts';
import { MIN_STEP_MS, WallClockSteps } from './wall-clock-steps.ts';

/** Name of the partner that every sandbox has. */
export const DEFAULT_PARTNER = 'default';

const SEEDS = 2 ** 31;

/** A partner of the sandbox. */
export interface Partner {
  readonly name: string;
  readonly publicKey: string;
  readonly secret: string;
}

/** One consistent read of clock, partners and faults. */
export interface Snapshot {
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  /** Milliseconds by which the clock was advanced. */
  readonly clockOffset: number;
  readonly seed: number;
  readonly masterKey: string;
  readonly hasFaults: boolean;
  /** Milliseconds by which each request moves the clock; 0 where it does not. */
  readonly clockTick: number;
  /** Grows when clock, partners or faults change, or orders are removed. */
  readonly revision: number;
  /** Grows when another state takes the place of this one. */
  readonly generation: number;
  /** Partners by public key, in the order in which they were added. */
  readonly partners: ReadonlyMap<string, Partner>;
}

/** State of a new database. */
export interface InitialState {
  readonly seed?: number;
  /** Time at which the clock is stopped; without it the clock runs. */
  readonly clockStart?: number;
  /** Milliseconds by which each request then moves the clock. Default 0. */
  readonly clockTick?: number;
  /** The wall clock. */
  readonly now: () => number;
}

/** Another state took the place of the one on which a request began, and nothing of the request took effect. */
export class StateReplaced extends Error {
  override readonly name = 'StateReplaced';

  constructor() {
    super('The state of the sandbox was replaced.');
  }
}

/** Throws {@link StateReplaced} unless the state is still the one that a request began on. */
export function requireSameState(
  { generation }: Pick<StateTable, 'generation'>,
  began: Pick<Snapshot, 'generation'>,
): void {
  if (generation !== began.generation) throw new StateReplaced();
}

/** Reads the state that all processes on a database share; unchanged partners and faults are not read again. */
export class SharedState {
  readonly #database: Database<SandboxSchema>;
  readonly #wallClock: () => number;
  readonly #steps: WallClockSteps;
  readonly #readRow: PreparedQuery<StateTable>;
  #known: { readonly revision: number; readonly rest: Pick<Snapshot, 'partners' | 'hasFaults'> } | undefined;
  #latest = Number.NEGATIVE_INFINITY;
  #standsStill = false;
  /** Reads a snapshot; callers in one turn of the event loop share it. */
  readonly read: () => Promise<Snapshot>;

  /** @param steady monotonic clock in milliseconds, from any origin */
  constructor(database: Database<SandboxSchema>, wallClock: () => number, steady: () => number) {
    this.#database = database;
    this.#wallClock = wallClock;
    this.#steps = new WallClockSteps(steady);
    this.#readRow = database.prepare<StateTable>(
      database.kysely.selectFrom('sandbox_state').selectAll().where('id', '=', STATE_ID).compile(),
    );
    this.read = coalesce(() => this.#read());
  }

  /** Time of the last snapshot where the clock is stopped and so depends on the calls alone, otherwise null. */
  standingTime(): number | null {
    return this.#standsStill ? this.#latest : null;
  }

  /** Checks whether the wall clock was set back while there were no requests. */
  async checkClock(): Promise<void> {
    if (this.#steps.expectedAfterStep(this.#wallClock()) !== undefined) await this.read();
  }

  async #read(): Promise<Snapshot> {
    let row = await this.#goOnAfterStep(await this.#row());
    while (this.#known?.revision !== row.revision) {
      const { revision } = row;
      const rest = await readRest(this.#database.kysely);
      row = await this.#row();
      // Otherwise it is unknown to which revision the rest belongs: read again.
      if (row.revision === revision) this.#known = { revision, rest };
      this.#latest = Number.NEGATIVE_INFINITY;
    }
    this.#standsStill = row.clock_start !== null;
    // After a small step back the time stays the same until the wall clock has caught up.
    const wall = this.#wallClock();
    this.#latest = Math.max(this.#latest, virtualTime(row, wall));
    this.#steps.note(this.#latest, wall);
    const { revision, generation, seed, master_key: masterKey } = row;
    const { clock_tick: clockTick, clock_offset: clockOffset } = row;
    const clock = { now: this.#latest, clockOffset, clockTick };
    return { ...clock, seed, masterKey, revision, generation, ...this.#known.rest };
  }

  async #row(): Promise<StateTable> {
    const [found] = await this.#readRow([STATE_ID]);
    if (found === undefined) throw new TypeError('The sandbox has no state.');
    return found;
  }

  async #goOnAfterStep(row: StateTable): Promise<StateTable> {
    const wall = this.#wallClock();
    const expected = this.#steps.expectedAfterStep(wall);
    return expected === undefined ? row : catchUp(this.#database, expected, wall);
  }
}

/**
 * Sets the sandbox's clock forward to a time that it had reached before the wall clock was set back; for every process
 * on the database, so that all show the same time.
 */
async function catchUp(
  database: Database<SandboxSchema>,
  expected: number,
  wall: number,
): Promise<StateTable> {
  return database.transaction(async (tx) => {
    const row = await changeState(tx, {});
    const behind = Math.ceil(expected - virtualTime(row, wall));
    // Another server on this machine has done it, or the clock is stopped.
    if (behind <= MIN_STEP_MS || row.clock_start !== null) return row;
    return changeState(tx, { clock_offset: behind, clock_rebased: behind, revision: 1 });
  });
}

/** The sandbox's time at a time of the wall clock. */
export function virtualTime(row: Pick<StateTable, 'clock_start' | 'clock_offset'>, wallTime: number): number {
  return (row.clock_start ?? wallTime) + row.clock_offset;
}

/** Reads the shared row. */
export async function stateRow(tx: Kysely<SandboxSchema>): Promise<StateTable> {
  return tx.selectFrom('sandbox_state').selectAll().where('id', '=', STATE_ID).executeTakeFirstOrThrow();
}

/**
 * Adds to the counters of the shared row and returns the new row. On PostgreSQL the row stays locked until the
 * transaction ends, so concurrent changes wait for each other.
 */
export async function changeState(
  tx: Kysely<SandboxSchema>,
  added: Partial<
    Pick<
      StateTable,
      | 'orders_made'
      | 'partners_made'
      | 'faults_made'
      | 'clock_offset'
      | 'clock_rebased'
      | 'revision'
      | 'generation'
    >
  >,
): Promise<StateTable> {
  return tx
    .updateTable('sandbox_state')
    .set((eb) => ({
      orders_made: eb('orders_made', '+', added.orders_made ?? 0),
      partners_made: eb('partners_made', '+', added.partners_made ?? 0),
      faults_made: eb('faults_made', '+', added.faults_made ?? 0),
      clock_offset: eb('clock_offset', '+', added.clock_offset ?? 0),
      clock_rebased: eb('clock_rebased', '+', added.clock_rebased ?? 0),
      revision: eb('revision', '+', added.revision ?? 0),
      generation: eb('generation', '+', added.generation ?? 0),
    }))
    .where('id', '=', STATE_ID)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Gives a new database its seed, keys and default partner; an existing one keeps its own. Throws UsageError where
 * another seed is requested than the database was created with.
 */
export async function initializeState(
  database: Database<SandboxSchema>,
  initial: InitialState,
): Promise<StateTable> {
  const found = await database.kysely.selectFrom('sandbox_state').selectAll().executeTakeFirst();
  const row =
    found === undefined
      ? await database.transaction((tx) => insertState(tx, initial))
      : await afterNewestOrder(database, found, initial.now());
  if (initial.seed === undefined || (row.seeded === 1 && row.seed === initial.seed)) return row;
  throw new UsageError(
    row.seeded === 1
      ? `The sandbox's database was begun with seed ${row.seed}, not ${initial.seed}.`
      : `The sandbox's database was begun without a seed, so it cannot be given seed ${initial.seed}.`,
    'Name another file with --database, or leave --seed out.',
  );
}

/** Corrects a wall clock that was set back while no server ran: the newest order was then made later than now. */
async function afterNewestOrder(
  database: Database<SandboxSchema>,
  row: StateTable,
  wall: number,
): Promise<StateTable> {
  const newest = await database.kysely
    .selectFrom('sandbox_orders')
    .select('created_at')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isBehind = newest !== undefined && newest.created_at > virtualTime(row, wall) + MIN_STEP_MS;
  return isBehind ? catchUp(database, newest.created_at, wall) : row;
}

async function insertState(tx: Kysely<SandboxSchema>, initial: InitialState): Promise<StateTable> {
  const row: StateTable = {
    id: STATE_ID,
    seed: initial.seed ?? randomInt(SEEDS),
    seeded: initial.seed === undefined ? 0 : 1,
    master_key: masterKey(initial.seed),
    clock_offset: 0,
    clock_start: initial.clockStart ?? null,
    clock_tick: initial.clockTick ?? 0,
    orders_made: 0,
    partners_made: 0,
    faults_made: 0,
    revision: 0,
    generation: 0,
    clock_rebased: 0,
  };
  await tx
    .insertInto('sandbox_state')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await stateRow(tx);
  if (kept.master_key === row.master_key && kept.partners_made === 0)
    await insertPartner(tx, DEFAULT_PARTNER);
  return kept;
}

/** Adds a partner with fresh keys. Throws UniqueViolationError if there is one of that name. */
export async function insertPartner(tx: Kysely<SandboxSchema>, name: string): Promise<Partner> {
  const { master_key, partners_made } = await changeState(tx, { partners_made: 1, revision: 1 });
  const { publicKey, secret } = partnerKeys(master_key, partners_made);
  await tx
    .insertInto('sandbox_partners')
    .values({ public_key: publicKey, name, secret, position: partners_made })
    .execute();
  return { name, publicKey, secret };
}

/** All partners, the default one first and the others in the order in which they were added. */
export async function listPartners(db: Kysely<SandboxSchema>): Promise<readonly Partner[]> {
  const rows = await db.selectFrom('sandbox_partners').selectAll().orderBy('position').execute();
  return rows.map(({ name, public_key, secret }) => ({ name, publicKey: public_key, secret }));
}

async function readRest(db: Kysely<SandboxSchema>): Promise<Pick<Snapshot, 'partners' | 'hasFaults'>> {
  const partners = await listPartners(db);
  const fault = await db.selectFrom('sandbox_faults').select('id').limit(1).executeTakeFirst();
  return {
    partners: new Map(partners.map((partner) => [partner.publicKey, partner])),
    hasFaults: fault !== undefined,
  };
}

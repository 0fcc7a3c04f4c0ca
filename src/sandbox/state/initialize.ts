import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import { UsageError } from '../../base/errors.ts';
import type { Database, DatabaseFacts, PageCheck } from '../../core/database/database.ts';
import { inspectDatabase } from '../../core/database/open.ts';
import { masterKey } from './derive.ts';
import { DEFAULT_PARTNER, insertPartner } from './partners.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema, STATE_ID, type StateTable } from './schema.ts';
import { catchUp, MIN_STEP_MS, stateRow, virtualTime } from './state-row.ts';

const SEEDS = 2 ** 31;

/** State of a new database. */
export interface InitialState {
  /**
   * Determines keys, order numbers, addresses and prices of a new database; refused where an existing database has
   * another.
   */
  readonly seed?: number | undefined;
  /** Time at which the clock is stopped, in milliseconds; without it the clock runs. */
  readonly clockStart?: number | undefined;
  /** Milliseconds by which each request then moves the clock. Default 0. */
  readonly clockTick?: number | undefined;
  readonly now: () => number;
}

/**
 * Gives a new database its seed, keys and default partner; an existing one keeps its own. Throws UsageError if
 * another seed is requested than the database was created with.
 */
export async function initializeState(database: Database<SandboxSchema>, initial: InitialState) {
  const found = await database.kysely.selectFrom('sandbox_state').selectAll().executeTakeFirst();
  const row =
    found === undefined
      ? await database.transaction((tx) => insertState(tx, initial))
      : await afterNewestOrder(database, found, initial.now());
  if (initial.seed === undefined || (row.seeded === 1 && row.seed === initial.seed)) return row;
  throw new UsageError(
    row.seeded === 1
      ? `The database of the sandbox was created with seed ${row.seed}, not ${initial.seed}.`
      : `The database of the sandbox was created without a seed, so it cannot use seed ${initial.seed}.`,
    'Choose another file with --database, or leave --seed out.',
  );
}

/** Corrects a wall clock that was set back while no server ran: the newest order was then made later than now. */
async function afterNewestOrder(database: Database<SandboxSchema>, row: StateTable, wall: number) {
  const newest = await database.kysely
    .selectFrom('sandbox_orders')
    .select('created_at')
    .where('generation', '=', row.generation)
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
    generations_made: 0,
    clock_rebased: 0,
  };
  await tx
    .insertInto('sandbox_state')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await stateRow(tx);
  if (kept.master_key !== row.master_key || kept.partners_made > 0) return kept;
  await insertPartner(tx, DEFAULT_PARTNER);
  return kept;
}

/** Inspects a sandbox's database without creating or changing it; throws StorageError for one that cannot be used. */
export function inspectSandbox(location: string, pages: PageCheck): Promise<DatabaseFacts> {
  return inspectDatabase(location, SANDBOX_MIGRATIONS, 'sandbox', pages);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import type { SandboxSchema, SnapshotTable } from '../state/schema.ts';
import { STATE_ID } from '../state/schema.ts';
import { changeState, virtualTime } from '../state/state-row.ts';
import { copyFromSnapshot, copyIntoSnapshot, removeRows } from './copy.ts';

/** A name that begins with a hyphen is a flag on the command line, and one with a dot may be a folder in a URL. */
const SNAPSHOT_NAME = /^\w[\w.-]{0,63}$/;

/** A named snapshot; times in milliseconds. */
export interface SavedSnapshot {
  readonly name: string;
  /** Time at which it was saved. */
  readonly savedAt: number;
  /** Time of the sandbox's clock in it. */
  readonly now: number;
  readonly orders: number;
  /** Bytes that its orders take. */
  readonly bytes: number;
}

/** Everything that the verbs on snapshots work with. */
export interface SnapshotVerbs {
  readonly database: Database<SandboxSchema>;
  readonly wallClock: () => number;
}

type Tx = Kysely<SandboxSchema>;

/**
 * Saves orders, events, faults, partners and clock as they stand at one moment, under a name; a snapshot of that name is
 * replaced. Throws UsageError for a name that is not allowed.
 */
export async function saveSnapshot(
  { database, wallClock }: SnapshotVerbs,
  name: string,
): Promise<SavedSnapshot & { readonly replaced: boolean }> {
  requireName(name);
  return database.transaction(async (tx) => {
    const state = await changeState(tx, {});
    // The counts of faults and the refund addresses change without a change of the state.
    if (database.kind === 'postgres')
      await sql`lock table sandbox_orders, sandbox_faults in share mode`.execute(tx);
    const savedAt = wallClock();
    const now = virtualTime(state, savedAt);
    const replaced = await find(tx, name);
    if (replaced !== undefined) await remove(tx, database.kind, replaced.id);
    const { id: newest } = (await tx
      .selectFrom('sandbox_snapshots')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? { id: 0 };
    const id = newest + 1;
    await copyIntoSnapshot(tx, database.kind, id);
    const { clock_offset, clock_start, clock_rebased, orders_made, partners_made, faults_made } = state;
    const { orders, bytes } = await sizeOf(tx, id);
    const clock = { now, clock_offset, clock_start, clock_rebased };
    const counters = { orders_made, partners_made, faults_made };
    const row = { id, name, saved_at: savedAt, ...clock, ...counters, orders, bytes };
    await tx.insertInto('sandbox_snapshots').values(row).execute();
    return { ...snapshotOf(row), replaced: replaced !== undefined };
  });
}

/**
 * Puts a snapshot in the place of the present, in one transaction: whoever asks sees all of the old state or all of the
 * new one. Recorded times stay as they were saved, and the clock goes on from the moment of the save. Throws `not_found`.
 */
export async function loadSnapshot(
  { database, wallClock }: SnapshotVerbs,
  name: string,
): Promise<SavedSnapshot> {
  return database.transaction(async (tx) => {
    const state = await changeState(tx, { revision: 1, generation: 1 });
    const row = await found(tx, name);
    await copyFromSnapshot(tx, database.kind, row.id);
    const advanced = row.clock_offset - row.clock_rebased;
    const clockOffset = row.now - (row.clock_start ?? wallClock());
    const { orders_made, partners_made, faults_made } = state.seeded === 1 ? row : state;
    await tx
      .updateTable('sandbox_state')
      .set({
        clock_start: row.clock_start,
        clock_offset: clockOffset,
        clock_rebased: clockOffset - advanced,
        // With a seed the same numbers come again; without one, no number is ever given out twice.
        ...{ orders_made, partners_made, faults_made },
      })
      .where('id', '=', STATE_ID)
      .execute();
    return snapshotOf(row);
  });
}

/** All snapshots, the oldest first. */
export async function listSnapshots(db: Tx): Promise<readonly SavedSnapshot[]> {
  const rows = await db
    .selectFrom('sandbox_snapshots')
    .selectAll()
    .orderBy('saved_at')
    .orderBy('id')
    .execute();
  return rows.map(snapshotOf);
}

/** Removes a snapshot. Throws `not_found`. */
export async function removeSnapshot({ database }: SnapshotVerbs, name: string): Promise<void> {
  await database.transaction(async (tx) => {
    await changeState(tx, {});
    await remove(tx, database.kind, (await found(tx, name)).id);
  });
}

/** The row of a snapshot. Throws `not_found`. */
export async function found(db: Tx, name: string): Promise<SnapshotTable> {
  // PostgreSQL refuses some texts even in a query.
  const row = SNAPSHOT_NAME.test(name) ? await find(db, name) : undefined;
  if (row !== undefined) return row;
  throw new SwapctlError('not_found', `The sandbox has no snapshot "${name}".`, {
    hint: 'List them: swapctl sandbox snapshot list',
  });
}

function requireName(name: string): void {
  if (SNAPSHOT_NAME.test(name)) return;
  throw new UsageError(
    "A snapshot's name has 1 to 64 letters, digits, dots, hyphens or underscores, and begins with a letter, digit or underscore.",
  );
}

function find(db: Tx, name: string): Promise<SnapshotTable | undefined> {
  return db.selectFrom('sandbox_snapshots').selectAll().where('name', '=', name).executeTakeFirst();
}

async function remove(tx: Tx, kind: Database<SandboxSchema>['kind'], id: number): Promise<void> {
  await removeRows(tx, kind, id);
  await tx.deleteFrom('sandbox_snapshots').where('id', '=', id).execute();
}

async function sizeOf(tx: Tx, id: number): Promise<Pick<SavedSnapshot, 'orders' | 'bytes'>> {
  const { rows } = await sql<{ orders: number; bytes: number | null }>`
    select count(*) as orders, cast(sum(length(terms)) as bigint) as bytes
    from sandbox_saved_orders where snapshot = ${id}`.execute(tx);
  return { orders: rows[0]?.orders ?? 0, bytes: rows[0]?.bytes ?? 0 };
}

function snapshotOf({ name, saved_at: savedAt, now, orders, bytes }: SnapshotTable): SavedSnapshot {
  return { name, savedAt, now, orders, bytes };
}

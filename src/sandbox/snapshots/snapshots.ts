import type { Kysely } from 'kysely';
import { notListed, StorageError, SwapctlError } from '../../base/errors.ts';
import { echoed, visible } from '../../base/text.ts';
import { checkFaultRule } from '../faults/rule.ts';
import { clearLimits } from '../limits/rate-limiter.ts';
import { sandboxOrder } from '../operator/order-view.ts';
import { NAME, requireName } from '../state/partners.ts';
import { type SandboxSchema, type SnapshotTable, STATE_ID } from '../state/schema.ts';
import { changeState, virtualTime } from '../state/state-row.ts';
import { copyCurrent, copyGeneration, makeCurrent } from './copy.ts';
import { type CopyTools, release, sweep } from './generations.ts';
import { ordersOf, recordedOf } from './recorded.ts';

/** A named snapshot; times in milliseconds. */
export interface SavedSnapshot {
  readonly name: string;
  readonly savedAt: number;
  readonly now: number;
  readonly orders: number;
}

type Tx = Kysely<SandboxSchema>;

/**
 * Saves orders, events, faults, partners and clock as they are at one moment, under a name; a snapshot of that name is
 * replaced. Throws UsageError for a name that is not allowed.
 */
export async function saveSnapshot(
  tools: CopyTools,
  name: string,
): Promise<SavedSnapshot & { readonly replaced: boolean }> {
  requireName(name, 'A snapshot name');
  return copyCurrent(
    tools,
    () => 0,
    async (tx, { state, generation, orders }) => {
      const { clock_offset, clock_start, clock_rebased, orders_made, partners_made, faults_made } = state;
      const savedAt = tools.wallClock();
      const replaced = await find(tx, name);
      if (replaced !== undefined) await remove(tx, replaced);
      const clock = { now: virtualTime(state, savedAt), clock_offset, clock_start, clock_rebased };
      const counters = { orders_made, partners_made, faults_made };
      const row = { generation, name, saved_at: savedAt, ...clock, ...counters, orders };
      await tx.insertInto('sandbox_snapshots').values(row).execute();
      return { ...snapshotOf(row), replaced: replaced !== undefined };
    },
  );
}

/**
 * Replaces the current state by a snapshot: each request sees all of the old state or all of the new one. Recorded
 * times stay as they were saved, and the clock continues from the moment of the save. Throws `not_found`.
 */
export async function loadSnapshot(tools: CopyTools, name: string): Promise<SavedSnapshot> {
  const { database, wallClock } = tools;
  const chosen = await found(database.kysely, name);
  await refuseDamaged(database.kysely, chosen);
  return copyGeneration(tools, chosen.generation, async (tx, copy) => {
    const row = await found(tx, name);
    if (row.generation !== chosen.generation) throw replacedMeanwhile(name);
    const advanced = row.clock_offset - row.clock_rebased;
    const clockOffset = row.now - (row.clock_start ?? wallClock());
    const { orders_made, partners_made, faults_made } = copy.state.seeded === 1 ? row : copy.state;
    await makeCurrent(tx, copy);
    await clearLimits(tx);
    await changeState(tx, { revision: 1 });
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

/** Reads everything of a snapshot once, before it replaces a good state. Throws StorageError for what cannot be read. */
async function refuseDamaged(db: Tx, { generation, name, now }: SnapshotTable): Promise<void> {
  const damaged = (what: string) =>
    new StorageError(
      `The snapshot ${name} is damaged: ${what} cannot be read. It was not loaded.`,
      `Remove it with \`swapctl sandbox snapshot list --remove ${name}\`.`,
    );
  const faults = await db
    .selectFrom('sandbox_faults')
    .selectAll()
    .where('generation', '=', generation)
    .execute();
  for (const { id, rule } of faults)
    if (!isReadable(() => checkFaultRule(JSON.parse(rule)))) throw damaged(`fault ${id}`);
  for await (const order of ordersOf(db, generation)) {
    const view = () => sandboxOrder(recordedOf(order), { at: now, partnerName: null, seed: 0 });
    if (!isReadable(view)) throw damaged(`order ${visible(order.row.order_number)}`);
  }
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function replacedMeanwhile(name: string): SwapctlError {
  return new SwapctlError('storage_failed', `The snapshot ${name} was replaced while it was being loaded.`, {
    hint: 'Load it again.',
  });
}

/** All snapshots, oldest first. */
export async function listSnapshots(db: Tx): Promise<readonly SavedSnapshot[]> {
  const rows = await db
    .selectFrom('sandbox_snapshots')
    .selectAll()
    .orderBy('saved_at')
    .orderBy('generation')
    .execute();
  return rows.map(snapshotOf);
}

/** Removes a snapshot. Throws `not_found`. */
export async function removeSnapshot(tools: CopyTools, name: string): Promise<void> {
  await tools.database.transaction(async (tx) => {
    await changeState(tx, {});
    await remove(tx, await found(tx, name));
  });
  await sweep(tools);
}

/** The row of a snapshot. Throws `not_found`. */
export async function found(db: Tx, name: string): Promise<SnapshotTable> {
  // PostgreSQL refuses some texts even in a query.
  const row = NAME.test(name) ? await find(db, name) : undefined;
  if (row !== undefined) return row;
  throw notListed(`The sandbox has no snapshot ${echoed(name)}.`, 'sandbox snapshot list');
}

function find(db: Tx, name: string): Promise<SnapshotTable | undefined> {
  return db.selectFrom('sandbox_snapshots').selectAll().where('name', '=', name).executeTakeFirst();
}

async function remove(tx: Tx, { generation }: SnapshotTable): Promise<void> {
  await tx.deleteFrom('sandbox_snapshots').where('generation', '=', generation).execute();
  await release(tx, generation);
}

function snapshotOf({ name, saved_at: savedAt, now, orders }: SnapshotTable): SavedSnapshot {
  return { name, savedAt, now, orders };
}

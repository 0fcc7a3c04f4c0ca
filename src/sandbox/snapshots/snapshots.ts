import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { notListed, StorageError } from '../../base/errors.ts';
import { echoed, visible } from '../../base/text.ts';
import { checkFaultRule } from '../faults/rule.ts';
import { clearLimits } from '../limits/rate-limiter.ts';
import type { ClockTools } from '../operator/clock.ts';
import { sandboxOrder } from '../operator/order-view.ts';
import type { RecordedOrder } from '../orders/order.ts';
import { type OrderRows, orderRows } from '../orders/repository.ts';
import { eventOf, orderOf } from '../orders/rows.ts';
import { NAME, requireName } from '../state/partners.ts';
import { type SandboxSchema, type SnapshotTable, STATE_ID } from '../state/schema.ts';
import { changeState, virtualTime } from '../state/state-row.ts';
import { beginGeneration, copyGeneration, ordersOf, removeGeneration, replaceCurrent } from './copy.ts';

/** A named snapshot; times in milliseconds. */
export type SavedSnapshot = ReturnType<typeof snapshotOf>;

type Tx = Kysely<SandboxSchema>;

const PAGE_SIZE = 200;

/** The operators' verbs for snapshots: save the current state under a name, restore it, list and remove them. */
export function snapshotVerbs(tools: ClockTools) {
  const { database } = tools;
  return {
    save: (name: string) => saveSnapshot(tools, name),
    load: (name: string) => loadSnapshot(tools, name),
    /** Oldest first. */
    list: async () => {
      const all = database.kysely.selectFrom('sandbox_snapshots').selectAll();
      return (await all.orderBy('saved_at').orderBy('generation').execute()).map(snapshotOf);
    },
    /** Throws `not_found`. */
    remove: (name: string) =>
      database.transaction(async (tx) => {
        await changeState(tx, {});
        await remove(tx, await found(tx, name));
      }),
  };
}

/**
 * Saves orders, events, faults, partners and clock as they are at one moment, under a name; a snapshot of that name is
 * replaced. Throws UsageError for a name that is not allowed.
 */
async function saveSnapshot({ database, wallClock }: ClockTools, name: string) {
  requireName(name, 'A snapshot name');
  return database.transaction(async (tx) => {
    const state = await beginGeneration(tx);
    const generation = state.generations_made;
    await copyGeneration(tx, { from: state.generation, to: generation });
    const replaced = await find(tx, name);
    if (replaced !== undefined) await remove(tx, replaced);
    const { clock_offset, clock_start, clock_rebased, orders_made, partners_made, faults_made } = state;
    const savedAt = wallClock();
    const { count: orders } = await ordersOf(tx, generation);
    const row = {
      generation,
      name,
      saved_at: savedAt,
      now: virtualTime(state, savedAt),
      clock_offset,
      clock_start,
      clock_rebased,
      orders_made,
      partners_made,
      faults_made,
      orders,
    };
    await tx.insertInto('sandbox_snapshots').values(row).execute();
    return { ...snapshotOf(row), replaced: replaced !== undefined };
  });
}

/**
 * Replaces the current state by a snapshot: each request sees all of the old state or all of the new one. Recorded
 * times stay as they were saved, and the clock continues from the moment of the save. Throws `not_found`.
 */
async function loadSnapshot({ database, wallClock }: ClockTools, name: string) {
  return database.transaction(async (tx) => {
    const state = await beginGeneration(tx);
    const row = await found(tx, name);
    await refuseDamaged(tx, row);
    await copyGeneration(tx, { from: row.generation, to: state.generations_made });
    await replaceCurrent(tx, state);
    await clearLimits(tx);
    await changeState(tx, { revision: 1 });
    const clockOffset = row.now - (row.clock_start ?? wallClock());
    // With a seed the same numbers come again; without one, no number is ever given out twice.
    const { orders_made, partners_made, faults_made } = state.seeded === 1 ? row : state;
    await tx
      .updateTable('sandbox_state')
      .set({
        clock_start: row.clock_start,
        clock_offset: clockOffset,
        clock_rebased: clockOffset - (row.clock_offset - row.clock_rebased),
        orders_made,
        partners_made,
        faults_made,
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
  for await (const order of recordedOrders(db, generation)) {
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
  await removeGeneration(tx, generation);
}

function snapshotOf({ name, saved_at: savedAt, now, orders }: SnapshotTable) {
  return { name, savedAt, now, orders };
}

export function recordedOf({ row, events }: OrderRows): RecordedOrder {
  return readable(`order ${visible(row.order_number)}`, () => ({
    order: orderOf(row),
    events: events.map(eventOf),
  }));
}

/** Reads stored content. Throws StorageError if it is damaged. */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new StorageError(
      `The states cannot be compared: ${what} is damaged.`,
      'If it belongs to a snapshot, remove that: swapctl sandbox snapshot list --remove <name>',
    );
  }
}

/** The orders of a generation, oldest first, read in pages. */
export async function* recordedOrders(db: Tx, generation: number) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: readonly OrderRows[] = await orderRows(db, generation, { after, limit: PAGE_SIZE });
    yield* page;
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.row.sequence;
    await nextTurn();
  }
}

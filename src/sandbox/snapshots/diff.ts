import { sql } from 'kysely';
import { SwapctlError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { rfc3339 } from '../../base/time.ts';
import { statusMeaning } from '../../core/partner-api/statuses.ts';
import { type Changes, changedFacts, type Facts, factsOf } from '../../core/swap/changes.ts';
import type { ClockTools } from '../operator/clock.ts';
import { orderJson } from '../operator/json.ts';
import { sandboxOrder } from '../operator/order-view.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import type { RecordedOrder } from '../orders/order.ts';
import type { OrderRows } from '../orders/repository.ts';
import type { EventTable } from '../state/schema.ts';
import { stateRow, virtualTime } from '../state/state-row.ts';
import { found, readable, recordedOf, recordedOrders } from './snapshots.ts';

type Db = ClockTools['database']['kysely'];

/** Items of one kind that are on one side only, or on both with differences. */
export interface KindDiff<Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly (Item & { readonly changes: Changes })[];
}

type OrderSummary = Readonly<Record<'order' | 'status', string>>;

/** What differs between two states of a sandbox; `same` if nothing does. */
export type SnapshotDiff = Awaited<ReturnType<typeof diffSnapshots>>;

/**
 * Compares a snapshot with another one, or with the current state. Compared with the current state, changes due only to
 * passing time are left out. Throws `not_found`, and `storage_failed` if one of them is replaced meanwhile.
 */
export async function diffSnapshots(
  { database: { kysely }, wallClock }: ClockTools,
  from: string,
  to: string | null,
) {
  const read = (name: string | null) => readSide(kysely, name, wallClock());
  const [before, after] = [await read(from), await read(to)];
  const partners = diffItems(before.partners, after.partners, ({ public_key, name, position }) => ({
    key: public_key,
    item: { name },
    facts: factsOf({ name, position }),
  }));
  const faults = diffItems(before.faults, after.faults, ({ id, rule, seen, fired }) => {
    const parsed = readable(`fault ${id}`, () => JSON.parse(rule) as object);
    return { key: String(id), item: { id, rule: parsed }, facts: factsOf({ rule: parsed, seen, fired }) };
  });
  const clock = { changes: changedFacts(clockFacts(before), clockFacts(after)) };
  const orders = await diffOrders(kysely, before, after);
  // The rows of a state that was replaced are removed: a comparison with them would be wrong.
  for (const side of [before, after]) await requireUnreplaced(kysely, side);
  const lists = [partners, faults, orders].flatMap(({ added, removed, changed }) => [
    added,
    removed,
    changed,
  ]);
  const same = lists.every((list) => list.length === 0) && Object.keys(clock.changes).length === 0;
  return { from: stateOf(before), to: stateOf(after), partners, faults, clock, orders, same };
}

async function requireUnreplaced(db: Db, { name, generation }: DiffSide): Promise<void> {
  const row = name === null ? await stateRow(db) : await found(db, name);
  if (row.generation === generation) return;
  throw new SwapctlError(
    'storage_failed',
    'One of the compared states was replaced by a save, load or reset.',
    { hint: 'Run the comparison again: this one is incomplete.' },
  );
}

/** A side of a difference; no name for the current state. */
function stateOf({ name, now }: DiffSide) {
  return { name, now: rfc3339(now) };
}

function clockFacts({ now, advanced, standsStill }: DiffSide): Facts {
  return factsOf(standsStill ? { now: rfc3339(now) } : { advancedSeconds: advanced / 1000 });
}

/** Compares the orders of two states, both read in the order of creation. */
async function diffOrders(db: Db, before: DiffSide, after: DiffSide): Promise<KindDiff<OrderSummary>> {
  const added: OrderSummary[] = [];
  const removed: OrderSummary[] = [];
  const changed: (OrderSummary & { readonly changes: Changes })[] = [];
  const [lefts, rights] = [recordedOrders(db, before.generation), recordedOrders(db, after.generation)];
  let [left, right] = [await take(lefts), await take(rights)];
  while (left !== undefined || right !== undefined) {
    const sequenceOrder = (left?.row.sequence ?? Infinity) - (right?.row.sequence ?? Infinity);
    if (left !== undefined && right !== undefined && sequenceOrder === 0) {
      const change = changeOfOrder(before, after, left, right);
      if (change !== undefined) changed.push(change);
    } else if (left !== undefined && sequenceOrder < 0) removed.push(summary(before, left));
    else if (right !== undefined) added.push(summary(after, right));
    if (sequenceOrder <= 0) left = await take(lefts);
    if (sequenceOrder >= 0) right = await take(rights);
  }
  return { added, removed, changed };
}

function changeOfOrder(before: DiffSide, after: DiffSide, left: OrderRows, right: OrderRows) {
  const isSame = isSameRecord(left, right);
  // Compared with the current state, passing time does not count for an order that no one changed.
  const elapsedMs = after.standsStill ? after.now - before.now : after.advanced - before.advanced;
  const until = isSame && after.name === null ? before.now + elapsedMs : after.now;
  if (isSame && until === before.now) return undefined;
  const facts = orderFacts(after, recordedOf(right), until);
  const changes = changedFacts(orderFacts(before, recordedOf(left), before.now), facts);
  if (Object.keys(changes).length === 0) return undefined;
  return { order: right.row.order_number, status: String(facts.get('status')), changes };
}

/** Whether two orders are recorded alike. */
function isSameRecord(left: OrderRows, right: OrderRows): boolean {
  const { row: a, events } = left;
  const { row: b } = right;
  return (
    a.terms === b.terms &&
    a.refund_address === b.refund_address &&
    a.created_at === b.created_at &&
    a.partner_key === b.partner_key &&
    events.length === right.events.length &&
    events.every((event, index) => {
      const other = right.events[index];
      return other !== undefined && eventText(event) === eventText(other);
    })
  );
}

function eventText({ kind, at, amount, receive, tx_id }: EventTable): string {
  return JSON.stringify([kind, at, amount, receive, tx_id]);
}

function summary(side: DiffSide, row: OrderRows) {
  const { order, events } = recordedOf(row);
  const { status } = statusMeaning(orderStateAt(order, events, side.now).status);
  return { order: order.orderNumber, status };
}

async function take(orders: AsyncGenerator<OrderRows>): Promise<OrderRows | undefined> {
  return (await orders.next()).value;
}

function diffItems<Row, Item extends object>(
  before: readonly Row[],
  after: readonly Row[],
  read: (row: Row) => { readonly key: string; readonly item: Item; readonly facts: Facts },
): KindDiff<Item> {
  const lefts = new Map(before.map(read).map((each) => [each.key, each]));
  const rights = new Map(after.map(read).map((each) => [each.key, each]));
  const changed = [...rights.values()].flatMap(({ key, item, facts }) => {
    const left = lefts.get(key);
    const changes = left === undefined ? {} : changedFacts(left.facts, facts);
    return Object.keys(changes).length === 0 ? [] : [{ ...item, changes }];
  });
  return {
    added: [...rights.values()].filter(({ key }) => !lefts.has(key)).map(({ item }) => item),
    removed: [...lefts.values()].filter(({ key }) => !rights.has(key)).map(({ item }) => item),
    changed,
  };
}

/** One of the two states that are compared: a snapshot, or the present. */
type DiffSide = Awaited<ReturnType<typeof readSide>>;

/** Reads one side, but for its orders. Throws `not_found` for an unknown snapshot. */
async function readSide(db: Db, name: string | null, wall: number) {
  const state = await stateRow(db);
  const saved = name === null ? null : await found(db, name);
  const clock = saved ?? state;
  const generation = clock.generation;
  const isOfSide = sql<boolean>`generation = ${generation}`;
  return {
    name,
    generation,
    seed: state.seed,
    /** Time of the sandbox's clock. */
    now: saved?.now ?? virtualTime(state, wall),
    /** Milliseconds by which operators advanced the clock. */
    advanced: clock.clock_offset - clock.clock_rebased,
    standsStill: clock.clock_start !== null,
    partners: await db.selectFrom('sandbox_partners').selectAll().where(isOfSide).execute(),
    faults: await db.selectFrom('sandbox_faults').selectAll().where(isOfSide).execute(),
  };
}

/** An order in its operator's view at a time, as a flat list of paths with their values. */
function orderFacts(side: DiffSide, { order, events }: RecordedOrder, at: number): Facts {
  const partner = side.partners.find(({ public_key }) => public_key === order.partnerKey);
  const context = { at, partnerName: partner?.name ?? null, seed: side.seed };
  const { transitions: _, ...rest } = readable(`order ${visible(order.orderNumber)}`, () =>
    orderJson(sandboxOrder({ order, events }, context)),
  );
  return factsOf({ ...rest, events: events.length });
}

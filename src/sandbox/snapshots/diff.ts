import { setImmediate as nextTurn } from 'node:timers/promises';
import { SwapctlError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time.ts';
import { statusMeaning } from '../../core/partner-api/statuses.ts';
import { type Changes, changedFacts, type Facts, factsOf } from '../../core/swap/changes.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
import type { OrderRows } from '../orders/repository.ts';
import { stateRow } from '../state/state-row.ts';
import { type CopyTools, rangesOf } from './generations.ts';
import { isSameRecord, ordersOf, readable, recordedOf } from './recorded.ts';
import { type DiffSide, orderFacts, readSide } from './side.ts';
import { found } from './snapshots.ts';

/** Orders that are compared between two pauses in which a server answers. */
const TURN = 50;
const PAGE_SIZE = 200;

/** Items of one kind that are on one side only, or on both with differences. */
export interface KindDiff<Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly (Item & { readonly changes: Changes })[];
}

/** A side of a difference; no name for the current state. */
interface DiffState {
  readonly name: string | null;
  /** Time of the sandbox's clock, RFC 3339. */
  readonly now: string;
}

interface OrderSummary {
  readonly order: string;
  readonly status: string;
}

/** Differences that fit into memory: everything but the orders, and a page of them. */
export interface DiffPage {
  readonly orders: KindDiff<OrderSummary>;
  readonly partners: KindDiff<{ readonly name: string }>;
  readonly faults: KindDiff<{ readonly id: number; readonly rule: object }>;
  readonly clock: { readonly changes: Changes };
}

/**
 * What differs between two states of a sandbox. The orders are read in pages of at most 200 while they are consumed,
 * which fails with `storage_failed` when a load or a reset replaces one of the states.
 */
export interface SnapshotDiff extends Omit<DiffPage, 'orders'> {
  readonly from: DiffState;
  readonly to: DiffState;
  readonly orders: { readonly [Kind in keyof DiffPage['orders']]: Pages<DiffPage['orders'][Kind][number]> };
  /** Whether nothing differs; known once the orders were consumed. */
  readonly same: () => boolean;
}

type Pages<T> = AsyncGenerator<readonly T[]>;

/**
 * Compares a snapshot with another one, or with the current state. Compared with the current state, changes due only to
 * passing time are left out. Throws `not_found`.
 */
export async function diffSnapshots(
  tools: CopyTools,
  from: string,
  to: string | null,
): Promise<SnapshotDiff> {
  const { database, wallClock } = tools;
  const read = (name: string | null) => readSide(database.kysely, name, wallClock());
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
  let same = [partners, faults].every(isEmpty) && Object.keys(clock.changes).length === 0;
  const pages = async function* <T>(items: AsyncIterable<T>): Pages<T> {
    for await (const page of inPages(items)) {
      // The rows of a state that was replaced are removed: a comparison with them would be wrong.
      await requireUnreplaced(database.kysely, before, after);
      same &&= page.length === 0;
      if (page.length > 0) yield page;
    }
  };
  const orders = {
    removed: pages(loneOrders(database, before, after)),
    added: pages(loneOrders(database, after, before)),
    changed: pages(changedOrders(database.kysely, before, after)),
  };
  return { from: stateOf(before), to: stateOf(after), partners, faults, clock, orders, same: () => same };
}

/** A difference in pages that each can be shown; everything but the orders is on the last one. */
export async function* diffPages({
  orders,
  partners,
  faults,
  clock,
}: SnapshotDiff): AsyncGenerator<DiffPage> {
  const none = { added: [], removed: [], changed: [] };
  const noOthers = { partners: none, faults: none, clock: { changes: {} } };
  let page: DiffPage['orders'] = none;
  for (const kind of ['removed', 'added', 'changed'] as const)
    for await (const items of orders[kind]) {
      if (page.removed.length + page.added.length + page.changed.length + items.length > PAGE_SIZE) {
        yield { ...noOthers, orders: page };
        page = none;
      }
      page = { ...page, [kind]: items };
    }
  yield { orders: page, partners, faults, clock };
}

async function* inPages<T>(items: AsyncIterable<T>): Pages<T> {
  let page: T[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function requireUnreplaced(
  db: CopyTools['database']['kysely'],
  ...sides: readonly DiffSide[]
): Promise<void> {
  for (const { name, generation } of sides) {
    const row = name === null ? await stateRow(db) : await found(db, name);
    if (row.generation === generation) continue;
    throw new SwapctlError(
      'storage_failed',
      'One of the compared states was replaced by a save, load or reset.',
      { hint: 'Run the comparison again: this one is incomplete.' },
    );
  }
}

function isEmpty({ added, removed, changed }: KindDiff<unknown & object>): boolean {
  return added.length + removed.length + changed.length === 0;
}

function stateOf({ name, now }: DiffSide): DiffState {
  return { name, now: rfc3339(now) };
}

function clockFacts({ now, advanced, standsStill }: DiffSide): Facts {
  return factsOf(standsStill ? { now: rfc3339(now) } : { advancedSeconds: advanced / 1000 });
}

async function* loneOrders(
  database: CopyTools['database'],
  side: DiffSide,
  other: DiffSide,
): AsyncGenerator<OrderSummary> {
  // Range by range: where all orders are on both sides, one query would read them all.
  for await (const [after, until] of rangesOf(database, side.generation, 0, ORDER_NUMBERS)) {
    const range = { after, until, absentIn: other.generation };
    for await (const row of ordersOf(database.kysely, side.generation, range)) yield summary(side, row);
  }
}

async function* changedOrders(
  db: CopyTools['database']['kysely'],
  before: DiffSide,
  after: DiffSide,
): AsyncGenerator<OrderSummary & { readonly changes: Changes }> {
  let compared = 0;
  for await (const [left, right] of sharedOrders(
    ordersOf(db, before.generation),
    ordersOf(db, after.generation),
  )) {
    const change = changeOfOrder(before, after, left, right);
    if (change !== undefined) yield change;
    compared += 1;
    if (compared % TURN === 0) await nextTurn();
  }
}

function changeOfOrder(
  before: DiffSide,
  after: DiffSide,
  left: OrderRows,
  right: OrderRows,
): (OrderSummary & { readonly changes: Changes }) | undefined {
  const isSame = isSameRecord(left, right);
  // Compared with the current state, passing time does not count for an order that no one changed.
  const passed = after.standsStill ? after.now - before.now : after.advanced - before.advanced;
  const until = isSame && after.name === null ? before.now + passed : after.now;
  if (isSame && isSameState(left, before.now, until)) return undefined;
  const facts = orderFacts(after, recordedOf(right), until);
  const changes = changedFacts(orderFacts(before, recordedOf(left), before.now), facts);
  if (Object.keys(changes).length === 0) return undefined;
  return { order: right.row.order_number, status: String(facts.get('status')), changes };
}

/** Whether an order is in the same state at two times; much cheaper than the whole view of both. */
function isSameState(row: OrderRows, at: number, then: number): boolean {
  if (at === then) return true;
  const { order, events } = recordedOf(row);
  return (
    JSON.stringify(orderStateAt(order, events, at)) === JSON.stringify(orderStateAt(order, events, then))
  );
}

function summary(side: DiffSide, row: OrderRows): OrderSummary {
  const { order, events } = recordedOf(row);
  const { status } = statusMeaning(orderStateAt(order, events, side.now).status);
  return { order: order.orderNumber, status };
}

/** The orders that both sides have, in the order of creation. */
async function* sharedOrders(
  lefts: AsyncGenerator<OrderRows>,
  rights: AsyncGenerator<OrderRows>,
): AsyncGenerator<readonly [OrderRows, OrderRows]> {
  let [left, right] = [await take(lefts), await take(rights)];
  while (left !== undefined && right !== undefined) {
    const [l, r] = [left.row.sequence, right.row.sequence];
    if (l === r) yield [left, right];
    if (l <= r) left = await take(lefts);
    if (r <= l) right = await take(rights);
  }
}

async function take(orders: AsyncGenerator<OrderRows>): Promise<OrderRows | undefined> {
  const next = await orders.next();
  return next.done === true ? undefined : next.value;
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

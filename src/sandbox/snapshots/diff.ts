import { setImmediate as nextTurn } from 'node:timers/promises';
import { SwapctlError } from '../../errors.ts';
import { statusMeaning } from '../../partner-api/statuses.ts';
import { rfc3339 } from '../admin/json.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import type { CopyTools } from './generations.ts';
import type { OrderRows } from './recorded.ts';
import { isSameRecord, ordersOf, recordedOf } from './recorded.ts';
import type { DiffSide, Facts, FactValue } from './side.ts';
import { flatFacts, orderFacts, readSide } from './side.ts';

/** Orders between two pauses in which a server answers. */
const TURN = 50;
const MAX_TRIES = 5;

/** What differs, by the path of each value: before and after. */
export type Changes = Readonly<Record<string, readonly [FactValue, FactValue]>>;

/** What of one kind is there on one side only, or on both with differences. */
export interface KindDiff<Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly (Item & { readonly changes: Changes })[];
}

/** A side of a difference; no name for the present. */
export interface DiffState {
  readonly name: string | null;
  /** Time of the sandbox's clock, RFC 3339. */
  readonly now: string;
}

/** What differs between two states of a sandbox. */
export interface SnapshotDiff {
  readonly from: DiffState;
  readonly to: DiffState;
  readonly same: boolean;
  readonly orders: KindDiff<{ readonly order: string; readonly status: string }>;
  readonly partners: KindDiff<{ readonly name: string }>;
  readonly faults: KindDiff<{ readonly id: number; readonly rule: object }>;
  readonly clock: { readonly changes: Changes };
}

/**
 * Compares a snapshot with another one, or with the present. What passing time alone brought since a snapshot is no
 * difference to the present: only what people and clients did is, and an advance of the clock. Throws `not_found`.
 */
export async function diffSnapshots(
  { database: { kysely }, wallClock }: CopyTools,
  from: string,
  to: string | null,
): Promise<SnapshotDiff> {
  const read = () =>
    Promise.all([readSide(kysely, from, wallClock()), readSide(kysely, to, wallClock())] as const);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [before, after] = await read();
    const orders = await diffOrders(kysely, before, after);
    const again = await read();
    // Something was saved, loaded or reset meanwhile: what was read is of two states.
    if (again[0].generation !== before.generation || again[1].generation !== after.generation) continue;
    const partners = diffItems(before.partners, after.partners, ({ public_key, name, position }) => ({
      key: public_key,
      item: { name },
      facts: flatFacts({ name, position }),
    }));
    const faults = diffItems(before.faults, after.faults, ({ id, rule, seen, fired }) => {
      const parsed = JSON.parse(rule) as object;
      return { key: String(id), item: { id, rule: parsed }, facts: flatFacts({ rule: parsed, seen, fired }) };
    });
    const clock = { changes: changesOf(clockFacts(before), clockFacts(after)) };
    const same = [orders, partners, faults].every(isEmpty) && Object.keys(clock.changes).length === 0;
    return { from: stateOf(before), to: stateOf(after), same, orders, partners, faults, clock };
  }
  throw new SwapctlError('storage_failed', 'The sandbox was changed again and again while it was compared.');
}

function isEmpty({ added, removed, changed }: KindDiff<unknown & object>): boolean {
  return added.length + removed.length + changed.length === 0;
}

function stateOf({ name, now }: DiffSide): DiffState {
  return { name, now: rfc3339(now) };
}

function clockFacts({ now, advanced, standsStill }: DiffSide): Facts {
  return flatFacts(standsStill ? { now: rfc3339(now) } : { advancedSeconds: advanced / 1000 });
}

async function diffOrders(
  db: CopyTools['database']['kysely'],
  before: DiffSide,
  after: DiffSide,
): Promise<SnapshotDiff['orders']> {
  const added: { order: string; status: string }[] = [];
  const removed: { order: string; status: string }[] = [];
  const changed: { order: string; status: string; changes: Changes }[] = [];
  let seen = 0;
  for await (const [left, right] of pairsOf(
    ordersOf(db, before.generation),
    ordersOf(db, after.generation),
  )) {
    if (left === undefined && right !== undefined) added.push(summary(after, right));
    else if (right === undefined && left !== undefined) removed.push(summary(before, left));
    else if (left !== undefined && right !== undefined) {
      const change = changeOfOrder(before, after, left, right);
      if (change !== undefined) changed.push(change);
    }
    seen += 1;
    if (seen % TURN === 0) await nextTurn();
  }
  return { added, removed, changed };
}

function changeOfOrder(
  before: DiffSide,
  after: DiffSide,
  left: OrderRows,
  right: OrderRows,
): SnapshotDiff['orders']['changed'][number] | undefined {
  const isSame = isSameRecord(left, right);
  // Against the present, time that merely passed does not count for an order to which nobody did anything.
  const passed = after.standsStill ? after.now - before.now : after.advanced - before.advanced;
  const until = isSame && after.name === null ? before.now + passed : after.now;
  if (isSame && isSameState(left, before.now, until)) return undefined;
  const facts = orderFacts(after, recordedOf(right), until);
  const changes = changesOf(orderFacts(before, recordedOf(left), before.now), facts);
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

function summary(side: DiffSide, row: OrderRows): { order: string; status: string } {
  const { order, events } = recordedOf(row);
  const { status } = statusMeaning(orderStateAt(order, events, side.now).status);
  return { order: order.orderNumber, status };
}

/** Pairs of the orders of two sides, by their place in the order of creation; undefined where a side has none. */
async function* pairsOf(
  lefts: AsyncGenerator<OrderRows>,
  rights: AsyncGenerator<OrderRows>,
): AsyncGenerator<readonly [OrderRows | undefined, OrderRows | undefined]> {
  let [left, right] = [await take(lefts), await take(rights)];
  while (left !== undefined || right !== undefined) {
    const l = left?.row.sequence ?? Number.POSITIVE_INFINITY;
    const r = right?.row.sequence ?? Number.POSITIVE_INFINITY;
    yield [l <= r ? left : undefined, r <= l ? right : undefined];
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
    const changes = left === undefined ? {} : changesOf(left.facts, facts);
    return Object.keys(changes).length === 0 ? [] : [{ ...item, changes }];
  });
  return {
    added: [...rights.values()].filter(({ key }) => !lefts.has(key)).map(({ item }) => item),
    removed: [...lefts.values()].filter(({ key }) => !rights.has(key)).map(({ item }) => item),
    changed,
  };
}

function changesOf(before: Facts, after: Facts): Changes {
  const changes: Record<string, readonly [FactValue, FactValue]> = {};
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const pair = [before.get(path) ?? null, after.get(path) ?? null] as const;
    if (pair[0] !== pair[1]) changes[path] = pair;
  }
  return changes;
}

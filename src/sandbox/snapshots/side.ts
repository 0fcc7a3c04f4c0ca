import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { orderJson } from '../admin/json.ts';
import { sandboxOrder } from '../operator/order-view.ts';
import type { RecordedOrder } from '../orders/repository.ts';
import { eventOf, orderOf } from '../orders/rows.ts';
import type { EventTable, FaultTable, OrderTable, PartnerTable, SandboxSchema } from '../state/schema.ts';
import { stateRow, virtualTime } from '../state/state-row.ts';
import { found } from './snapshots.ts';

/** Orders that are read at a time. */
const PAGE_SIZE = 200;

type Db = Kysely<SandboxSchema>;

/** An order as it is recorded. */
export interface SideOrder {
  readonly row: OrderTable;
  readonly events: readonly EventTable[];
}

/** Whether two orders are recorded alike. */
export function isSameRecord(left: SideOrder, right: SideOrder): boolean {
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

/** The order in its rows. */
export function recordedOf({ row, events }: SideOrder): RecordedOrder {
  return { order: orderOf(row), events: events.map(eventOf) };
}

/** One of the two states that are compared: a snapshot, or the present. */
export interface DiffSide {
  /** Null for the present. */
  readonly name: string | null;
  /** Id of the snapshot, null for the present. */
  readonly id: number | null;
  /** Changes when the state is replaced. */
  readonly version: string;
  /** Time of the sandbox's clock. */
  readonly now: number;
  /** Milliseconds by which people advanced the clock. */
  readonly advanced: number;
  readonly standsStill: boolean;
  readonly seed: number;
  readonly partners: readonly PartnerTable[];
  readonly faults: readonly FaultTable[];
}

/** Reads one side, but for its orders. Throws `not_found` for an unknown snapshot. */
export async function readSide(db: Db, name: string | null, wall: number): Promise<DiffSide> {
  const state = await stateRow(db);
  if (name === null) {
    const partners = await db.selectFrom('sandbox_partners').selectAll().execute();
    const faults = await db.selectFrom('sandbox_faults').selectAll().execute();
    return {
      ...{ name, id: null, version: String(state.generation), partners, faults, seed: state.seed },
      now: virtualTime(state, wall),
      advanced: state.clock_offset - state.clock_rebased,
      standsStill: state.clock_start !== null,
    };
  }
  const row = await found(db, name);
  const { id, now } = row;
  const of = { partners: 'sandbox_saved_partners', faults: 'sandbox_saved_faults' } as const;
  return {
    ...{ name, id, now, version: `${id} ${row.saved_at}`, seed: state.seed },
    advanced: row.clock_offset - row.clock_rebased,
    standsStill: row.clock_start !== null,
    partners: await db.selectFrom(of.partners).selectAll().where('snapshot', '=', id).execute(),
    faults: await db.selectFrom(of.faults).selectAll().where('snapshot', '=', id).execute(),
  };
}

/** The orders of one side, the oldest first. */
export async function* sideOrders(db: Db, { id }: DiffSide): AsyncGenerator<SideOrder> {
  for (let after = 0; ; ) {
    const page = await readPage(db, id, after);
    const events = new Map<number, EventTable[]>();
    for (const event of page.events) {
      const known = events.get(event.order_sequence);
      if (known === undefined) events.set(event.order_sequence, [event]);
      else known.push(event);
    }
    for (const row of page.orders) yield { row, events: events.get(row.sequence) ?? [] };
    const last = page.orders.at(-1);
    if (last === undefined || page.orders.length < PAGE_SIZE) return;
    after = last.sequence;
  }
}

interface Page {
  readonly orders: readonly OrderTable[];
  readonly events: readonly EventTable[];
}

async function readPage(db: Db, snapshot: number | null, after: number): Promise<Page> {
  const present = { orders: 'sandbox_orders', events: 'sandbox_events' } as const;
  const saved = { orders: 'sandbox_saved_orders', events: 'sandbox_saved_events' } as const;
  const of = snapshot === null ? present : saved;
  const isOfSide = snapshot === null ? sql<boolean>`true` : sql<boolean>`snapshot = ${snapshot}`;
  const orders = await db
    .selectFrom(of.orders)
    .selectAll()
    .where(isOfSide)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(PAGE_SIZE)
    .execute();
  const events = await db
    .selectFrom(of.events)
    .selectAll()
    .where(isOfSide)
    .where('order_sequence', '>', after)
    .where('order_sequence', '<=', orders.at(-1)?.sequence ?? after)
    .orderBy('order_sequence')
    .orderBy('position')
    .execute();
  return { orders, events };
}

/** An order in its operator's view at a time, as a flat list of paths with their values. */
export function orderFacts(side: DiffSide, { order, events }: RecordedOrder, at: number): Facts {
  const partner = side.partners.find(({ public_key }) => public_key === order.partnerKey);
  const context = { at, partnerName: partner?.name ?? null, seed: side.seed };
  const { transitions: _, ...rest } = orderJson(sandboxOrder({ order, events }, context));
  return flatFacts({ ...rest, events: events.length });
}

/** Values by their paths, such as `deposit.amount`. */
export type Facts = ReadonlyMap<string, FactValue>;

/** A value of a fact. */
export type FactValue = string | number | boolean | null;

/** Values of nested objects by their paths. */
export function flatFacts(value: object, prefix = ''): Facts {
  const facts = new Map<string, FactValue>();
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'object' && each !== null)
      for (const [path, inner] of flatFacts(each, `${prefix}${key}.`)) facts.set(path, inner);
    else facts.set(`${prefix}${key}`, each ?? null);
  }
  return facts;
}

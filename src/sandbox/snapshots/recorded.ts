import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { StorageError } from '../../errors.ts';
import { visible } from '../../text.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
import type { RecordedOrder } from '../orders/order.ts';
import { eventOf, orderOf } from '../orders/rows.ts';
import type { EventTable, OrderTable, SandboxSchema } from '../state/schema.ts';

/** Orders that are read at a time. */
const PAGE_SIZE = 200;

/** An order as it is recorded. */
export interface OrderRows {
  readonly row: OrderTable;
  readonly events: readonly EventTable[];
}

/** Whether two orders are recorded alike. */
export function isSameRecord(left: OrderRows, right: OrderRows): boolean {
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
export function recordedOf({ row, events }: OrderRows): RecordedOrder {
  return readable(`order ${visible(row.order_number)}`, () => ({
    order: orderOf(row),
    events: events.map(eventOf),
  }));
}

/** Reads stored content. Throws StorageError where it is damaged. */
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

/** Some of the orders of a generation. */
interface OrderRange {
  /** Only those with a higher sequence. */
  readonly after: number;
  /** Only those up to this sequence. */
  readonly until: number;
  /** Only those that this generation does not have. */
  readonly absentIn?: number;
}

/** The orders of a generation, oldest first, read in pages. */
export async function* ordersOf(
  db: Kysely<SandboxSchema>,
  generation: number,
  range: OrderRange = { after: 0, until: ORDER_NUMBERS },
): AsyncGenerator<OrderRows> {
  for (let { after } = range; ; ) {
    const page = await readPage(db, generation, { ...range, after });
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
    await nextTurn();
  }
}

interface Page {
  readonly orders: readonly OrderTable[];
  readonly events: readonly EventTable[];
}

async function readPage(
  db: Kysely<SandboxSchema>,
  generation: number,
  { after, until, absentIn }: OrderRange,
): Promise<Page> {
  const orders = await db
    .selectFrom('sandbox_orders as o')
    .selectAll()
    .where('generation', '=', generation)
    .where('sequence', '>', after)
    .where('sequence', '<=', until)
    .$if(absentIn !== undefined, (query) =>
      query.where(
        sql<boolean>`not exists (select 1 from sandbox_orders x where x.generation = ${absentIn} and x.sequence = o.sequence)`,
      ),
    )
    .orderBy('sequence')
    .limit(PAGE_SIZE)
    .execute();
  if (orders.length === 0) return { orders, events: [] };
  const events = await db
    .selectFrom('sandbox_events')
    .selectAll()
    .where('generation', '=', generation)
    .where('order_sequence', '>', after)
    .where('order_sequence', '<=', orders.at(-1)?.sequence ?? after)
    .orderBy('order_sequence')
    .orderBy('position')
    .execute();
  return { orders, events };
}

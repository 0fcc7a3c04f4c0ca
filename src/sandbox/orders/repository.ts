import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { OrderTable, SandboxSchema } from '../state/schema.ts';
import { STATE_ID } from '../state/schema.ts';
import { ORDER_NUMBERS } from './number.ts';
import type { Order, OrderEvent } from './order.ts';
import { eventOf, eventRow, orderOf } from './rows.ts';

/** An order with its events. */
export interface RecordedOrder {
  readonly order: Order;
  readonly events: readonly OrderEvent[];
}

/** A refund address, and whose order it is for in which state. */
interface RefundUpdate {
  readonly partnerKey: string;
  readonly refundAddress: string;
  readonly generation: number;
}

/** Orders read at a time where there may be very many. */
const PAGE_SIZE = 100;

/** Orders whose times are changed at a time: some milliseconds of work. */
const SHIFT_SIZE = 200;

/** Row of an order with one of its events, or nulls where it has none. */
type JoinedRow = OrderTable & {
  kind: string | null;
  at: number | null;
  amount: string | null;
  receive: string | null;
  tx_id: string | null;
};

/** Reads and changes orders on a database or inside one of its transactions; hot-path.ts has what must be fast. */
export class OrderRepository {
  readonly #db: Kysely<SandboxSchema>;

  constructor(db: Kysely<SandboxSchema>) {
    this.#db = db;
  }

  /** The order of a sequence, if there is one. */
  async find(sequence: number): Promise<RecordedOrder | undefined> {
    const rows = await ordersWithEvents(this.#db).where('o.sequence', '=', sequence).execute();
    return recordedOrder(rows as JoinedRow[]);
  }

  /**
   * Adds an event to an order. Throws UniqueViolationError if another event was added meanwhile.
   *
   * @param position of the event among those of the order, from 1
   */
  async append(sequence: number, position: number, event: OrderEvent): Promise<void> {
    await this.#db
      .insertInto('sandbox_events')
      .values(eventRow(sequence, position, event))
      .execute();
  }

  /**
   * Sets the refund address of a partner's order in the state of a generation; false if the partner has no such order
   * there.
   */
  async setRefundAddress(
    sequence: number,
    { partnerKey, refundAddress, generation }: RefundUpdate,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('sandbox_orders')
      .set({ refund_address: refundAddress })
      .where('sequence', '=', sequence)
      .where('partner_key', '=', partnerKey)
      .where(({ selectFrom, eb }) =>
        eb(selectFrom('sandbox_state').select('generation').where('id', '=', STATE_ID), '=', generation),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Up to `limit` orders with their events, newest first; those before `before` in the order of creation. */
  async page(limit: number, before = ORDER_NUMBERS + 1): Promise<readonly RecordedOrder[]> {
    const rows = await this.#db
      .selectFrom('sandbox_orders')
      .selectAll()
      .where('sequence', '<', before)
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute();
    if (rows.length === 0) return [];
    const events = await this.#db
      .selectFrom('sandbox_events')
      .selectAll()
      .where(
        'order_sequence',
        'in',
        rows.map((row) => row.sequence),
      )
      .orderBy('order_sequence')
      .orderBy('position')
      .execute();
    const byOrder = new Map<number, OrderEvent[]>(rows.map((row) => [row.sequence, []]));
    for (const event of events) byOrder.get(event.order_sequence)?.push(eventOf(event));
    return rows.map((row) => ({ order: orderOf(row), events: byOrder.get(row.sequence) ?? [] }));
  }

  /**
   * Shifts all recorded times, so that swaps keep their state on a clock set by as much. Works in slices, between which
   * a server answers reads.
   */
  async shiftTimes(milliseconds: number): Promise<void> {
    const newest = await this.#db
      .selectFrom('sandbox_orders')
      .select('sequence')
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    for (let first = 1; first <= (newest?.sequence ?? 0); first += SHIFT_SIZE) {
      const end = first + SHIFT_SIZE;
      await this.#db
        .updateTable('sandbox_orders')
        .set((eb) => ({ created_at: eb('created_at', '+', milliseconds) }))
        .where('sequence', '>=', first)
        .where('sequence', '<', end)
        .execute();
      await this.#db
        .updateTable('sandbox_events')
        .set((eb) => ({ at: eb('at', '+', milliseconds) }))
        .where('order_sequence', '>=', first)
        .where('order_sequence', '<', end)
        .execute();
      await nextTurn();
    }
  }

  /** Removes every order. */
  async clear(): Promise<void> {
    await this.#db.deleteFrom('sandbox_events').execute();
    await this.#db.deleteFrom('sandbox_orders').execute();
  }
}

/** Orders in pages, newest first: those before a sequence, and no more than `limit`. */
export async function* orderPagesOf(
  { kysely }: Pick<Database<SandboxSchema>, 'kysely'>,
  before?: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly RecordedOrder[]> {
  const orders = new OrderRepository(kysely);
  let [last, left] = [before, limit];
  while (left > 0) {
    const page = await orders.page(Math.min(left, PAGE_SIZE), last);
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    last = page.at(-1)?.order.sequence;
    left -= page.length;
  }
}

/** Query for orders with their events: a row for each event, in their order. */
function ordersWithEvents(db: Kysely<SandboxSchema>) {
  return db
    .selectFrom('sandbox_orders as o')
    .leftJoin('sandbox_events as e', 'e.order_sequence', 'o.sequence')
    .selectAll('o')
    .select(['e.kind', 'e.at', 'e.amount', 'e.receive', 'e.tx_id'])
    .orderBy('e.position');
}

/** The order in the rows of {@link ordersWithEvents}; undefined for no rows. */
function recordedOrder(rows: readonly JoinedRow[]): RecordedOrder | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const events: OrderEvent[] = [];
  for (const { kind, at, amount, receive, tx_id } of rows) {
    if (kind !== null && at !== null) events.push(eventOf({ kind, at, amount, receive, tx_id }));
  }
  return { order: orderOf(first), events };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../core/database/database.ts';
import { inGroups } from '../state/in-groups.ts';
import type { EventTable, OrderTable, SandboxSchema, StateTable } from '../state/schema.ts';
import { changeState, currentGeneration, requireSameState, stateRow } from '../state/state-row.ts';
import { ORDER_NUMBERS } from './number.ts';
import type { Order, OrderEvent, RecordedOrder } from './order.ts';
import { changeTimeColumns, eventOf, eventRow, orderOf, orderRow } from './rows.ts';

const PAGE_SIZE = 100;

/** Reads and changes orders on a database or inside one of its transactions. */
export class OrderRepository {
  readonly #db: Kysely<SandboxSchema>;

  constructor(db: Kysely<SandboxSchema>) {
    this.#db = db;
  }

  /** The order of a sequence, if there is one. */
  async find(sequence: number): Promise<RecordedOrder | undefined> {
    return (await this.#all(currentGeneration(), [sequence])).get(sequence);
  }

  /** The order of a sequence in the state on which a request began, if there is one. Throws StateReplaced. */
  async findIn(began: Pick<StateTable, 'generation'>, sequence: number): Promise<RecordedOrder | undefined> {
    const found = await this.#findTogether({ generation: began.generation, sequence });
    // The rows of a state that was replaced are removed.
    if (found === undefined) requireSameState(await stateRow(this.#db), began);
    return found;
  }

  /** Orders that are read at the same time share a statement, which costs more than an order: 45 of 160 microseconds. */
  readonly #findTogether = inGroups<
    Pick<Order, 'sequence'> & { generation: number },
    RecordedOrder | undefined
  >(async (keys) => {
    const found = new Map<number, ReadonlyMap<number, RecordedOrder>>();
    for (const generation of new Set(keys.map((key) => key.generation))) {
      const own = keys.filter((key) => key.generation === generation);
      found.set(
        generation,
        await this.#all(
          generation,
          own.map(({ sequence }) => sequence),
        ),
      );
    }
    return keys.map(({ generation, sequence }) => found.get(generation)?.get(sequence));
  });

  /** Some orders of a generation, by their sequences. */
  async #all(generation: number | RawBuilder<number>, sequences: readonly number[]) {
    // The query builder would take longer than the rest of a request.
    const { rows } = await sql<OrderTable & EventOrNulls>`
      select o.*, e.kind, e.at, e.amount, e.receive, e.tx_id from sandbox_orders o
      left join sandbox_events e on e.generation = o.generation and e.order_sequence = o.sequence
      where o.generation = ${generation} and o.sequence in (${sql.join(sequences)})
      order by o.sequence, e.position`.execute(this.#db);
    const found = new Map<number, { readonly order: Order; readonly events: OrderEvent[] }>();
    for (const row of rows) {
      const known = found.get(row.sequence) ?? { order: orderOf(row), events: [] };
      if (isEvent(row)) known.events.push(eventOf(row));
      found.set(row.sequence, known);
    }
    return found;
  }

  /** Adds orders to a generation, in a transaction. */
  async insert(generation: number, orders: readonly Order[]): Promise<void> {
    const rows = orders.map((order) => ({ generation, ...orderRow(order) }));
    await this.#db.insertInto('sandbox_orders').values(rows).execute();
  }

  /**
   * Adds an event to an order, in a transaction. Throws UniqueViolationError if another event was added in between.
   */
  async append({ order, events }: RecordedOrder, event: OrderEvent): Promise<void> {
    const { sequence } = order;
    const { generation } = await changeState(this.#db, {});
    await this.#db
      .insertInto('sandbox_events')
      .values({ generation, ...eventRow(sequence, events.length + 1, event) })
      .execute();
    await this.#db
      .updateTable('sandbox_orders')
      .set(changeTimeColumns({ order, events: [...events, event] }))
      .where('generation', '=', generation)
      .where('sequence', '=', sequence)
      .execute();
  }

  /**
   * Sets the refund address of a partner's order, in a transaction; false if the partner has no such order. Throws
   * StateReplaced.
   */
  async setRefundAddress(
    sequence: number,
    update: Pick<Order, 'partnerKey' | 'refundAddress'> & Pick<StateTable, 'generation'>,
  ): Promise<boolean> {
    const { partnerKey, refundAddress, generation } = update;
    requireSameState(await changeState(this.#db, {}), update);
    const { numUpdatedRows } = await this.#db
      .updateTable('sandbox_orders')
      .set({ refund_address: refundAddress })
      .where('generation', '=', generation)
      .where('sequence', '=', sequence)
      .where('partner_key', '=', partnerKey)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}

export interface OrderRows {
  readonly row: OrderTable;
  readonly events: readonly EventTable[];
}

/** Some of the orders of a generation; `after` and `before` are sequences. */
interface OrderRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  readonly newestFirst?: boolean;
  /** Only those whose status may change after the first of these times, and up to the second. */
  readonly changing?: readonly [after: number, until: number] | undefined;
}

/** Reads the rows of some orders with their events. */
export async function orderRows(
  db: Kysely<SandboxSchema>,
  generation: number | RawBuilder<number>,
  { after = 0, before = ORDER_NUMBERS + 1, limit, newestFirst = false, changing }: OrderRange,
): Promise<readonly OrderRows[]> {
  const orders = await db
    .selectFrom('sandbox_orders as o')
    .selectAll()
    .where('generation', '=', generation)
    .where('sequence', '>', after)
    .where('sequence', '<', before)
    .$if(changing !== undefined, (query) => {
      const [from, until] = changing ?? [0, 0];
      return query.where('changes_until', '>', from).where('changes_from', '<=', until);
    })
    .orderBy('sequence', newestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  const sequences = orders.map(({ sequence }) => sequence);
  if (sequences.length === 0) return [];
  const events = await db
    .selectFrom('sandbox_events')
    .selectAll()
    .where('generation', '=', orders[0]?.generation ?? 0)
    .where('order_sequence', '>=', Math.min(...sequences))
    .where('order_sequence', '<=', Math.max(...sequences))
    .orderBy('order_sequence')
    .orderBy('position')
    .execute();
  const byOrder = new Map<number, EventTable[]>(sequences.map((sequence) => [sequence, []]));
  for (const event of events) byOrder.get(event.order_sequence)?.push(event);
  return orders.map((row) => ({ row, events: byOrder.get(row.sequence) ?? [] }));
}

/** Orders in pages, newest first, and no more than `limit`. */
export async function* orderPagesOf(
  { kysely }: Pick<Database<SandboxSchema>, 'kysely'>,
  { before, limit, changing }: Omit<OrderRange, 'limit'> & { readonly limit?: number | undefined } = {},
): AsyncGenerator<readonly RecordedOrder[]> {
  let [last, left] = [before, limit ?? Number.POSITIVE_INFINITY];
  while (left > 0) {
    const range = { limit: Math.min(left, PAGE_SIZE), before: last, newestFirst: true, changing };
    const rows = await orderRows(kysely, currentGeneration(), range);
    if (rows.length > 0)
      yield rows.map(({ row, events }) => ({ order: orderOf(row), events: events.map(eventOf) }));
    if (rows.length < PAGE_SIZE) return;
    // A server in this process answers in between.
    await nextTurn();
    last = rows.at(-1)?.row.sequence;
    left -= rows.length;
  }
}

type EventColumns = Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>;

/** The columns of an event beside its order, which may have none. */
type EventOrNulls = EventColumns | { readonly [Column in keyof EventColumns]: null };

function isEvent<Row extends EventOrNulls>(row: Row): row is Row & EventColumns {
  return row.kind !== null;
}

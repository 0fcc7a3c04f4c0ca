import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, Kysely } from 'kysely';
import type { Database, PreparedQuery } from '../../database/database.ts';
import type { EventTable, OrderTable, SandboxSchema, StateTable } from '../state/schema.ts';
import { STATE_ID } from '../state/schema.ts';
import { ORDER_NUMBERS } from './number.ts';
import type { Order, OrderEvent } from './order.ts';
import { eventOf, eventRow, orderOf, orderRow } from './rows.ts';

/** An order with everything that happened to it. */
export interface RecordedOrder {
  readonly order: Order;
  readonly events: readonly OrderEvent[];
}

/** Orders that are read at once where there may be very many. */
const PAGE = 100;

/** Orders whose times are changed at once: some milliseconds of work. */
const SHIFTED_AT_ONCE = 200;

/** Orders that a reader keeps: some megabytes. */
const MAX_CACHED_ORDERS = 5000;

/** In the order in which `orderRow` makes them, which is the order of a statement's parameters. */
const ROW_COLUMNS = [
  'sequence',
  'order_number',
  'partner_key',
  'refund_address',
  'created_at',
  'terms',
] as const satisfies readonly (keyof OrderTable)[];

type EventColumns = Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>;

/** What counting orders tells of the shared state. */
export type ReservedNumbers = Pick<StateTable, 'orders_made' | 'seed' | 'clock_offset'>;

type JoinedRow = OrderTable & {
  kind: string | null;
  at: number | null;
  amount: string | null;
  receive: string | null;
  tx_id: string | null;
};

/**
 * Reads single orders for the hot path. What was agreed in an order stays as it is, so it is read once; what happened
 * to it is read every time.
 */
export class OrderReader {
  readonly #joined: PreparedQuery<JoinedRow>;
  readonly #events: PreparedQuery<EventColumns>;
  readonly #known = new Map<number, Order>();
  #revision = -1;

  constructor(database: Database<SandboxSchema>) {
    const { kysely } = database;
    this.#joined = database.prepare<JoinedRow>(joined(kysely).where('o.sequence', '=', 0).compile());
    this.#events = database.prepare<EventColumns>(eventsOf(kysely, 0).compile());
  }

  /**
   * The order of a sequence, if there is one; its refund address may be out of date.
   *
   * @param revision of the shared state: orders are removed and moved in time only with a new one
   */
  async find(sequence: number, revision: number): Promise<RecordedOrder | undefined> {
    if (revision !== this.#revision) {
      this.#known.clear();
      this.#revision = revision;
    }
    const order = this.#known.get(sequence);
    if (order !== undefined) return { order, events: (await this.#events([sequence])).map(eventOf) };
    const found = recorded(await this.#joined([sequence]));
    if (found !== undefined && revision === this.#revision) this.#keep(found.order);
    return found;
  }

  #keep(order: Order): void {
    if (this.#known.size >= MAX_CACHED_ORDERS) this.#known.clear();
    this.#known.set(order.sequence, order);
  }
}

/** Counts and adds orders for the hot path: every statement is built once, for building takes longer than running. */
export class OrderInserter {
  readonly #built = new Map<number, CompiledQuery>();
  #counting: CompiledQuery<ReservedNumbers> | undefined;

  /** Counts orders that are about to be added, in a transaction; how many there have been with them, and the state. */
  async count(tx: Kysely<SandboxSchema>, orders: number): Promise<ReservedNumbers> {
    this.#counting ??= tx
      .updateTable('sandbox_state')
      .set((eb) => ({ orders_made: eb('orders_made', '+', orders) }))
      .where('id', '=', STATE_ID)
      .returning(['orders_made', 'seed', 'clock_offset'])
      .compile();
    const { rows } = await tx.executeQuery<ReservedNumbers>({
      ...this.#counting,
      parameters: [orders, STATE_ID],
    });
    const [counted] = rows;
    if (counted === undefined) throw new TypeError('The sandbox has no state.');
    return counted;
  }

  /** Adds orders in a transaction. */
  async insert(tx: Kysely<SandboxSchema>, orders: readonly Order[]): Promise<void> {
    const rows = orders.map(orderRow);
    const built = this.#built.get(rows.length) ?? tx.insertInto('sandbox_orders').values(rows).compile();
    this.#built.set(rows.length, built);
    const parameters: unknown[] = [];
    for (const row of rows) for (const column of ROW_COLUMNS) parameters.push(row[column]);
    await tx.executeQuery({ ...built, parameters });
  }
}

/** Everything else that is done to orders, on a database or inside one of its transactions. */
export class OrderRepository {
  readonly #db: Kysely<SandboxSchema>;

  constructor(db: Kysely<SandboxSchema>) {
    this.#db = db;
  }

  /** The order of a sequence, if there is one. */
  async find(sequence: number): Promise<RecordedOrder | undefined> {
    const rows = await joined(this.#db).where('o.sequence', '=', sequence).execute();
    return recorded(rows as JoinedRow[]);
  }

  /**
   * Adds what happened next to an order. Throws UniqueViolationError if something else happened in the meantime.
   *
   * @param position how many events there are with this one
   */
  async append(sequence: number, position: number, event: OrderEvent): Promise<void> {
    await this.#db
      .insertInto('sandbox_events')
      .values(eventRow(sequence, position, event))
      .execute();
  }

  /** Sets the refund address of a partner's order; false if the partner has no such order. */
  async setRefundAddress(sequence: number, partnerKey: string, refundAddress: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('sandbox_orders')
      .set({ refund_address: refundAddress })
      .where('sequence', '=', sequence)
      .where('partner_key', '=', partnerKey)
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
   * Moves everything recorded by some milliseconds, so that all swaps stay as they are on a clock set by as much. In
   * slices, between which a server answers reads.
   */
  async shiftTimes(milliseconds: number): Promise<void> {
    const newest = await this.#db
      .selectFrom('sandbox_orders')
      .select('sequence')
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    for (let first = 1; first <= (newest?.sequence ?? 0); first += SHIFTED_AT_ONCE) {
      const end = first + SHIFTED_AT_ONCE;
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
    const page = await orders.page(Math.min(left, PAGE), last);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.order.sequence;
    left -= page.length;
  }
}

function joined(db: Kysely<SandboxSchema>) {
  return db
    .selectFrom('sandbox_orders as o')
    .leftJoin('sandbox_events as e', 'e.order_sequence', 'o.sequence')
    .selectAll('o')
    .select(['e.kind', 'e.at', 'e.amount', 'e.receive', 'e.tx_id'])
    .orderBy('e.position');
}

function eventsOf(db: Kysely<SandboxSchema>, sequence: number) {
  return db
    .selectFrom('sandbox_events')
    .select(['kind', 'at', 'amount', 'receive', 'tx_id'])
    .where('order_sequence', '=', sequence)
    .orderBy('position');
}

function recorded(rows: readonly JoinedRow[]): RecordedOrder | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const events: OrderEvent[] = [];
  for (const { kind, at, amount, receive, tx_id } of rows) {
    if (kind !== null && at !== null) events.push(eventOf({ kind, at, amount, receive, tx_id }));
  }
  return { order: orderOf(first), events };
}

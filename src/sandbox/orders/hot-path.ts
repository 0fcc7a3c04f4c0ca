import type { CompiledQuery, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database, PreparedQuery } from '../../database/database.ts';
import type { EventTable, OrderTable, SandboxSchema, StateTable } from '../state/schema.ts';
import { STATE_ID } from '../state/schema.ts';
import type { Order } from './order.ts';
import type { JoinedRow, RecordedOrder } from './repository.ts';
import { ordersWithEvents, recordedOrder } from './repository.ts';
import { eventOf, orderRow } from './rows.ts';

/** Orders that a reader keeps: some megabytes. */
const MAX_CACHED_ORDERS = 5000;

/** Columns of an insert, and so the order of its parameters. */
const ROW_COLUMNS = [
  'sequence',
  'order_number',
  'partner_key',
  'refund_address',
  'created_at',
  'terms',
] as const satisfies readonly (keyof OrderTable)[];

type EventColumns = Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>;

/** The shared state after order numbers were reserved. */
export type ReservedNumbers = Pick<StateTable, 'orders_made' | 'seed' | 'clock_offset'>;

/** Reads single orders. What was agreed in an order never changes, so it is read once; its events are read each time. */
export class OrderReader {
  readonly #joined: PreparedQuery<JoinedRow>;
  readonly #events: PreparedQuery<EventColumns>;
  readonly #known = new Map<number, Order>();
  #revision = -1;

  constructor(database: Database<SandboxSchema>) {
    const { kysely } = database;
    this.#joined = database.prepare<JoinedRow>(
      ordersWithEvents(kysely).where('o.sequence', '=', 0).compile(),
    );
    this.#events = database.prepare<EventColumns>(
      kysely
        .selectFrom('sandbox_events')
        .select(['kind', 'at', 'amount', 'receive', 'tx_id'])
        .where('order_sequence', '=', 0)
        .orderBy('position')
        .compile(),
    );
  }

  /**
   * The order of a sequence, if there is one; its refund address may be out of date.
   *
   * @param revision of the shared state; it grows when orders are removed or their times change, and ends the cache
   */
  async find(sequence: number, revision: number): Promise<RecordedOrder | undefined> {
    if (revision !== this.#revision) {
      this.#known.clear();
      this.#revision = revision;
    }
    const order = this.#known.get(sequence);
    if (order !== undefined) return { order, events: (await this.#events([sequence])).map(eventOf) };
    const found = recordedOrder(await this.#joined([sequence]));
    if (found !== undefined && revision === this.#revision) this.#keep(found.order);
    return found;
  }

  #keep(order: Order): void {
    if (this.#known.size >= MAX_CACHED_ORDERS) this.#known.clear();
    this.#known.set(order.sequence, order);
  }
}

/** Adds orders; each statement is built once, because building takes longer than running. */
export class OrderInserter {
  readonly #inserts = new Map<number, CompiledQuery>();
  #reserve: CompiledQuery<ReservedNumbers> | undefined;

  /** Reserves the numbers of orders that are about to be added, in a transaction. */
  async reserve(tx: Kysely<SandboxSchema>, orders: number): Promise<ReservedNumbers> {
    this.#reserve ??= tx
      .updateTable('sandbox_state')
      .set((eb) => ({ orders_made: eb('orders_made', '+', orders) }))
      .where('id', '=', STATE_ID)
      .returning(['orders_made', 'seed', 'clock_offset'])
      .compile();
    const { rows } = await tx.executeQuery<ReservedNumbers>({
      ...this.#reserve,
      parameters: [orders, STATE_ID],
    });
    const [state] = rows;
    if (state === undefined) throw new TypeError('The sandbox has no state.');
    return state;
  }

  /** Adds orders in a transaction. */
  async insert(tx: Kysely<SandboxSchema>, orders: readonly Order[]): Promise<void> {
    const query = this.#inserts.get(orders.length) ?? insertQuery(tx, orders.length);
    this.#inserts.set(orders.length, query);
    const parameters: unknown[] = [];
    for (const row of orders.map(orderRow)) for (const column of ROW_COLUMNS) parameters.push(row[column]);
    await tx.executeQuery({ ...query, parameters });
  }
}

function insertQuery(tx: Kysely<SandboxSchema>, rows: number): CompiledQuery {
  const columns = sql.join(ROW_COLUMNS.map((column) => sql.ref(column)));
  const row = sql`(${sql.join(ROW_COLUMNS.map(() => null))})`;
  const values = sql.join(Array.from({ length: rows }, () => row));
  return sql`insert into sandbox_orders (${columns}) values ${values}`.compile(tx);
}

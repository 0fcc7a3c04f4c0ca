import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database, PreparedQuery } from '../../core/database/database.ts';
import {
  COPIED_TABLES,
  type EventTable,
  type OrderTable,
  type SandboxSchema,
  STATE_ID,
  type StateTable,
} from '../state/schema.ts';
import type { Snapshot } from '../state/shared-state.ts';
import { requireSameState } from '../state/state-row.ts';
import type { Order, OrderEvent, RecordedOrder } from './order.ts';
import { eventOf, orderOf, orderRow } from './rows.ts';

/** Orders that a reader keeps: some megabytes. */
const MAX_CACHED_ORDERS = 5000;

/** Columns of an insert, and so the order of its parameters. */
const ROW_COLUMNS = Object.keys(COPIED_TABLES.sandbox_orders) as readonly (keyof OrderTable)[];

const ORDER_COLUMNS = ROW_COLUMNS.map((column) => `o.${column}` as const);

const EVENT_COLUMNS = ['e.kind', 'e.at', 'e.amount', 'e.receive', 'e.tx_id'] as const;

type EventColumns = Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>;
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
/** The generation of the state, with an event of an order or nulls. */
type EventRow = Nullable<EventColumns> & Pick<StateTable, 'generation'>;

/** The shared state after order numbers were reserved. */
export type ReservedNumbers = Pick<StateTable, 'orders_made' | 'seed' | 'generation'>;

/**
 * Reads single orders. What was agreed in an order never changes, so it is read once; its events are read each time, in one
 * statement with the generation of the state that they belong to.
 */
export class OrderReader {
  readonly #joined: PreparedQuery<EventRow & Nullable<OrderTable>>;
  readonly #events: PreparedQuery<EventRow>;
  readonly #known = new Map<number, Order>();
  #revision = -1;

  constructor(database: Database<SandboxSchema>) {
    const { kysely } = database;
    this.#joined = database.prepare(
      kysely
        .selectFrom('sandbox_state as s')
        .leftJoin('sandbox_orders as o', (join) =>
          join.onRef('o.generation', '=', 's.generation').on('o.sequence', '=', 0),
        )
        .leftJoin('sandbox_events as e', (join) =>
          join.onRef('e.generation', '=', 'o.generation').onRef('e.order_sequence', '=', 'o.sequence'),
        )
        .select(ORDER_COLUMNS)
        .select(['s.generation', ...EVENT_COLUMNS])
        .where('s.id', '=', STATE_ID)
        .orderBy('e.position')
        .compile(),
    );
    this.#events = database.prepare(
      kysely
        .selectFrom('sandbox_state as s')
        .leftJoin('sandbox_events as e', (join) =>
          join.onRef('e.generation', '=', 's.generation').on('e.order_sequence', '=', 0),
        )
        .select(['s.generation', ...EVENT_COLUMNS])
        .where('s.id', '=', STATE_ID)
        .orderBy('e.position')
        .compile(),
    );
  }

  /**
   * The order of a sequence, if there is one; its refund address may be out of date. Throws StateReplaced. A new revision
   * ends what is kept: it grows when orders are removed or their times change.
   */
  async find(
    sequence: number,
    began: Pick<Snapshot, 'revision' | 'generation'>,
  ): Promise<RecordedOrder | undefined> {
    const { revision } = began;
    if (revision !== this.#revision) {
      this.#known.clear();
      this.#revision = revision;
    }
    const known = this.#known.get(sequence);
    if (known !== undefined)
      return { order: known, events: eventsOf(await this.#events([sequence, STATE_ID]), began) };
    const rows = await this.#joined([sequence, STATE_ID]);
    const events = eventsOf(rows, began);
    const [first] = rows;
    if (first === undefined || !isOrder(first)) return undefined;
    const order = orderOf(first);
    if (revision === this.#revision) this.#keep(order);
    return { order, events };
  }

  #keep(order: Order): void {
    if (this.#known.size >= MAX_CACHED_ORDERS) this.#known.clear();
    this.#known.set(order.sequence, order);
  }
}

function isOrder(row: Nullable<OrderTable>): row is OrderTable {
  return row.sequence !== null;
}

/** The events in rows, if they belong to the state on which a request began. */
function eventsOf(rows: readonly EventRow[], began: Pick<Snapshot, 'generation'>): readonly OrderEvent[] {
  const [first] = rows;
  if (first === undefined) throw new TypeError('The sandbox has no state.');
  requireSameState(first, began);
  return rows.filter(isEvent).map(eventOf);
}

function isEvent(row: EventRow): row is EventRow & EventColumns {
  return row.kind !== null;
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
      .returning(['orders_made', 'seed', 'generation'])
      .compile();
    const { rows } = await tx.executeQuery<ReservedNumbers>({
      ...this.#reserve,
      parameters: [orders, STATE_ID],
    });
    const [state] = rows;
    if (state === undefined) throw new TypeError('The sandbox has no state.');
    return state;
  }

  /** Adds orders to a generation, in a transaction. */
  async insert(tx: Kysely<SandboxSchema>, generation: number, orders: readonly Order[]): Promise<void> {
    const query = this.#inserts.get(orders.length) ?? insertQuery(tx, orders.length);
    this.#inserts.set(orders.length, query);
    const parameters: unknown[] = [];
    for (const row of orders.map(orderRow)) {
      parameters.push(generation);
      for (const column of ROW_COLUMNS) parameters.push(row[column]);
    }
    await tx.executeQuery({ ...query, parameters });
  }
}

function insertQuery(tx: Kysely<SandboxSchema>, rows: number): CompiledQuery {
  const columns = sql.join(ROW_COLUMNS.map((column) => sql.ref(column)));
  const row = sql`(${sql.join([null, ...ROW_COLUMNS.map(() => null)])})`;
  const values = sql.join(Array.from({ length: rows }, () => row));
  return sql`insert into sandbox_orders (generation, ${columns}) values ${values}`.compile(tx);
}

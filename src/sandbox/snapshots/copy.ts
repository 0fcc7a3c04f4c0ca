import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
import type { SandboxSchema } from '../state/schema.ts';

/**
 * Orders that are copied or removed at a time. SQLite works in this process: some milliseconds, between which a server
 * answers. PostgreSQL works in its own, and may read a whole table for a slice.
 */
const SLICE: Readonly<Record<DatabaseKind, number>> = { sqlite: 500, postgres: 20_000 };

type DatabaseKind = Database<SandboxSchema>['kind'];

/** A table of the sandbox, and the one with its rows in snapshots, which has the same columns and `snapshot`. */
interface Copied<Live extends keyof SandboxSchema> {
  readonly live: Live;
  readonly saved: keyof SandboxSchema;
  /** Every column: one that is missing here makes the type wrong. */
  readonly columns: Readonly<Record<keyof SandboxSchema[Live], true>>;
}

const PARTNERS: Copied<'sandbox_partners'> = {
  live: 'sandbox_partners',
  saved: 'sandbox_saved_partners',
  columns: { public_key: true, name: true, secret: true, position: true },
};
const FAULTS: Copied<'sandbox_faults'> = {
  live: 'sandbox_faults',
  saved: 'sandbox_saved_faults',
  columns: { id: true, rule: true, seen: true, fired: true },
};
const ORDERS: Copied<'sandbox_orders'> = {
  live: 'sandbox_orders',
  saved: 'sandbox_saved_orders',
  columns: {
    sequence: true,
    order_number: true,
    partner_key: true,
    refund_address: true,
    created_at: true,
    terms: true,
  },
};
const EVENTS: Copied<'sandbox_events'> = {
  live: 'sandbox_events',
  saved: 'sandbox_saved_events',
  columns: {
    order_sequence: true,
    position: true,
    kind: true,
    at: true,
    amount: true,
    receive: true,
    tx_id: true,
  },
};

type Tables = Pick<Copied<keyof SandboxSchema>, 'live' | 'saved'> & { readonly columns: object };
type Tx = Kysely<SandboxSchema>;

/** Copies the present into a snapshot, in a transaction that has locked the state. */
export async function copyIntoSnapshot(tx: Tx, kind: DatabaseKind, snapshot: number): Promise<void> {
  const copy = (tables: Tables, where = sql``) => {
    const columns = columnsOf(tables);
    return sql`insert into ${sql.table(tables.saved)} (snapshot, ${columns})
      select ${sql.lit(snapshot)}, ${columns} from ${sql.table(tables.live)} ${where}`.execute(tx);
  };
  await copy(PARTNERS);
  await copy(FAULTS);
  for await (const [after, until] of slicesOf(tx, kind, 'sandbox_orders')) {
    await copy(ORDERS, sql`where sequence > ${after} and sequence <= ${until}`);
    await copy(EVENTS, sql`where order_sequence > ${after} and order_sequence <= ${until}`);
  }
}

/** Puts the rows of a snapshot in the place of the present ones, in a transaction that has locked the state. */
export async function copyFromSnapshot(tx: Tx, kind: DatabaseKind, snapshot: number): Promise<void> {
  for (const { live } of [PARTNERS, FAULTS, EVENTS, ORDERS])
    await sql`delete from ${sql.table(live)}`.execute(tx);
  const copy = (tables: Tables, where = sql``) => {
    const columns = columnsOf(tables);
    return sql`insert into ${sql.table(tables.live)} (${columns})
      select ${columns} from ${sql.table(tables.saved)} where snapshot = ${snapshot} ${where}`.execute(tx);
  };
  await copy(PARTNERS);
  await copy(FAULTS);
  for await (const [after, until] of slicesOf(tx, kind, 'sandbox_saved_orders', snapshot)) {
    await copy(ORDERS, sql`and sequence > ${after} and sequence <= ${until}`);
    await copy(EVENTS, sql`and order_sequence > ${after} and order_sequence <= ${until}`);
  }
}

/** Removes the rows of a snapshot, in a transaction. */
export async function removeRows(tx: Tx, kind: DatabaseKind, snapshot: number): Promise<void> {
  const remove = ({ saved }: Tables, where = sql``) =>
    sql`delete from ${sql.table(saved)} where snapshot = ${snapshot} ${where}`.execute(tx);
  await remove(PARTNERS);
  await remove(FAULTS);
  for await (const [after, until] of slicesOf(tx, kind, 'sandbox_saved_orders', snapshot)) {
    await remove(EVENTS, sql`and order_sequence > ${after} and order_sequence <= ${until}`);
    await remove(ORDERS, sql`and sequence > ${after} and sequence <= ${until}`);
  }
}

function columnsOf({ columns }: Tables): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((column) => sql.ref(column)));
}

/** Ranges of sequences: after the first number, up to the second. */
async function* slicesOf(
  tx: Tx,
  kind: DatabaseKind,
  table: 'sandbox_orders' | 'sandbox_saved_orders',
  snapshot?: number,
): AsyncGenerator<readonly [number, number]> {
  for (let after = 0; after < ORDER_NUMBERS; ) {
    const last = await sql<{ sequence: number }>`select sequence from ${sql.table(table)}
      where sequence > ${after} ${snapshot === undefined ? sql`` : sql`and snapshot = ${snapshot}`}
      order by sequence limit 1 offset ${SLICE[kind] - 1}`.execute(tx);
    const until = last.rows[0]?.sequence ?? ORDER_NUMBERS;
    yield [after, until];
    after = until;
    await nextTurn();
  }
}

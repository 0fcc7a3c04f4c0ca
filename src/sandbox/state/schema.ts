import type { Generated } from 'kysely';
import type { Migration } from '../../database/database.ts';

/** Id of the one row of `sandbox_state`. */
export const STATE_ID = 1;

/** The one row that all processes on a database share. */
export interface StateTable {
  id: number;
  /** Seed of prices and addresses. */
  seed: number;
  /** 1 where the seed was given, 0 where it was drawn. */
  seeded: number;
  /** Key from which everything secret is derived, 64 hex digits. */
  master_key: string;
  /** Milliseconds by which the clock was advanced. */
  clock_offset: number;
  /** Time at which the clock is stopped, without the offset; null where it runs. */
  clock_start: number | null;
  /** Milliseconds by which each request moves the clock. */
  clock_tick: number;
  orders_made: number;
  partners_made: number;
  faults_made: number;
  /** Grows with every change of clock, partners or faults, so that other processes notice. */
  revision: number;
  /** Generation of the current rows. Another one takes its place when the state is replaced, by a load or a reset. */
  generation: number;
  generations_made: number;
  /** Grows with every change of an order that was made before. */
  changes_made: number;
  /** Milliseconds of the offset that loads of snapshots brought, not people. */
  clock_rebased: number;
}

/** A partner and its key pair. */
export interface PartnerTable {
  public_key: string;
  name: string;
  secret: string;
  position: number;
}

/**
 * An order. Columns hold what is searched for or can change; `terms` holds the rest of `Order` as JSON. There is no
 * index on the number, because the number can be turned into the sequence.
 */
export interface OrderTable {
  sequence: number;
  order_number: string;
  partner_key: string;
  refund_address: string;
  created_at: number;
  terms: string;
}

/** An event of an order, see `OrderEvent`. */
export interface EventTable {
  order_sequence: number;
  position: number;
  kind: string;
  at: number;
  amount: string | null;
  receive: string | null;
  tx_id: string | null;
}

/** A fault rule with its counts. */
export interface FaultTable {
  id: number;
  /** The rule as JSON. */
  rule: string;
  /** Requests that matched the rule's endpoint and partner. */
  seen: number;
  /** Requests on which the rule fired. */
  fired: number;
}

/** The one row with the catalogue text of the last started server; null for the built-in catalogue. */
interface CatalogueTable {
  id: number;
  source: string | null;
}

/** One of the latest requests, see `LoggedRequest`. */
export interface RequestTable {
  id: number;
  at: number;
  partner: string | null;
  method: string;
  endpoint: string | null;
  path: string;
  query: string;
  body: string | null;
  status: number | null;
  answer: string | null;
  ms: number;
  fault: number | null;
}

/** The one row that counts requests, so that their ids grow on after a reset and from server to server. */
interface RequestCountTable {
  id: number;
  made: number;
}

/** A set of rows of orders, events, partners and faults. */
interface GenerationTable {
  id: number;
  /** Time of the wall clock, in milliseconds; 0 once it was given up. */
  begun_at: number;
}

/** A named snapshot, with its clock and counters; times in milliseconds. */
export interface SnapshotTable {
  generation: number;
  name: string;
  /** Time of the wall clock. */
  saved_at: number;
  /** Time of the sandbox's clock. */
  now: number;
  clock_offset: number;
  clock_start: number | null;
  clock_rebased: number;
  orders_made: number;
  partners_made: number;
  faults_made: number;
  orders: number;
  /** Bytes of its orders. */
  bytes: number;
}

type Of<Row> = Row & { generation: number };

/** Counts of the rate limiter; on SQLite in a file of its own. */
interface LimitTable {
  key: string;
  points: number;
  expire: number;
}

export interface SandboxSchema {
  sandbox_state: StateTable;
  sandbox_generations: GenerationTable;
  sandbox_partners: Of<PartnerTable>;
  /** `changed`: `changes_made` at the last change of the order or its events; 0 for none since it was made or copied. */
  sandbox_orders: Of<OrderTable> & { changed: Generated<number> };
  sandbox_events: Of<EventTable>;
  sandbox_faults: Of<FaultTable>;
  sandbox_catalogues: CatalogueTable;
  sandbox_requests: RequestTable;
  sandbox_request_counts: RequestCountTable;
  sandbox_snapshots: SnapshotTable;
}

/** Tables of the rate limiter. */
export interface LimitSchema {
  sandbox_limits: LimitTable;
}

export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `create table sandbox_state (
        id integer not null primary key, seed bigint not null, seeded integer not null, master_key text not null,
        clock_offset bigint not null, clock_start bigint, clock_tick bigint not null, clock_rebased bigint not null,
        orders_made bigint not null, partners_made bigint not null, faults_made bigint not null,
        revision bigint not null, generation bigint not null, generations_made bigint not null, changes_made bigint not null)`,
      'create table sandbox_generations (id bigint not null primary key, begun_at bigint not null)',
      `create table sandbox_partners (
        generation bigint not null, public_key text not null, name text not null, secret text not null,
        position bigint not null, primary key (generation, public_key), unique (generation, name))`,
      `create table sandbox_orders (
        generation bigint not null, sequence integer not null, order_number text not null, partner_key text not null,
        refund_address text not null, created_at bigint not null, terms text not null, changed bigint not null default 0,
        primary key (generation, sequence))`,
      'create index sandbox_orders_changed on sandbox_orders (generation, changed) where changed > 0',
      `create table sandbox_events (
        generation bigint not null, order_sequence integer not null, position integer not null, kind text not null,
        at bigint not null, amount text, receive text, tx_id text, primary key (generation, order_sequence, position))`,
      `create table sandbox_faults (
        generation bigint not null, id bigint not null, rule text not null, seen bigint not null, fired bigint not null,
        primary key (generation, id))`,
      // In a table of its own: it can be large, and the state is read with every request.
      'create table sandbox_catalogues (id integer not null primary key, source text)',
      `create table sandbox_requests (
        id bigint not null primary key, at bigint not null, partner text, method text not null, endpoint text,
        path text not null, query text not null, body text, status integer, answer text, ms bigint not null, fault bigint)`,
      'create table sandbox_request_counts (id integer not null primary key, made bigint not null)',
      'insert into sandbox_request_counts (id, made) values (1, 0)',
      `create table sandbox_snapshots (
        generation bigint not null primary key, name text not null unique, saved_at bigint not null, now bigint not null,
        clock_offset bigint not null, clock_start bigint, clock_rebased bigint not null, orders_made bigint not null,
        partners_made bigint not null, faults_made bigint not null, orders bigint not null, bytes bigint not null)`,
    ],
  },
];

export const LIMIT_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      'create table sandbox_limits (key text not null primary key, points bigint not null, expire bigint not null)',
    ],
  },
];

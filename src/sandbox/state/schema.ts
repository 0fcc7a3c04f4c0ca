import type { Migration } from '../../core/database/database.ts';
import { type RowOf, type SchemaOf, tableMaker } from '../../core/database/tables.ts';

/** Id of the one row of `sandbox_state`. */
export const STATE_ID = 1;

/** The one row that all processes on a database share. */
const STATE = {
  id: 'integer NOT NULL PRIMARY KEY',
  /** Seed of prices and addresses. */
  seed: 'bigint NOT NULL',
  /** 1 where the seed was given, 0 where it was drawn. */
  seeded: 'integer NOT NULL',
  /** Key from which everything secret is derived, 64 hex digits. */
  master_key: 'text NOT NULL',
  /** Milliseconds by which the clock was advanced. */
  clock_offset: 'bigint NOT NULL',
  /** Time at which the clock is stopped, without the offset; null if it runs. */
  clock_start: 'bigint',
  /** Milliseconds by which each request moves the clock. */
  clock_tick: 'bigint NOT NULL',
  /** Milliseconds of the offset that loads of snapshots brought, not people. */
  clock_rebased: 'bigint NOT NULL',
  orders_made: 'bigint NOT NULL',
  partners_made: 'bigint NOT NULL',
  faults_made: 'bigint NOT NULL',
  /** Grows with every change of clock, partners or faults, so that other processes notice. */
  revision: 'bigint NOT NULL',
  /** Generation of the current rows. Another one takes its place when the state is replaced, by a load or a reset. */
  generation: 'bigint NOT NULL',
  generations_made: 'bigint NOT NULL',
} as const;

const PARTNERS = {
  public_key: 'text NOT NULL',
  name: 'text NOT NULL',
  secret: 'text NOT NULL',
  position: 'bigint NOT NULL',
} as const;

/**
 * Orders. Columns hold what is searched for or can change; `terms` holds the rest of `Order` as JSON. There is no index on
 * the number, because the number can be turned into the sequence.
 */
const ORDERS = {
  sequence: 'integer NOT NULL',
  order_number: 'text NOT NULL',
  partner_key: 'text NOT NULL',
  refund_address: 'text NOT NULL',
  created_at: 'bigint NOT NULL',
  /** Times of the first and the last change of its status, as its events have it; nothing changes outside them. */
  changes_from: 'bigint NOT NULL',
  changes_until: 'bigint NOT NULL',
  terms: 'text NOT NULL',
} as const;

/** Events of orders, see `OrderEvent`. */
const EVENTS = {
  order_sequence: 'integer NOT NULL',
  position: 'integer NOT NULL',
  kind: 'text NOT NULL',
  at: 'bigint NOT NULL',
  amount: 'text',
  receive: 'text',
  tx_id: 'text',
} as const;

const FAULTS = {
  id: 'bigint NOT NULL',
  /** The rule as JSON. */
  rule: 'text NOT NULL',
  /** Requests that matched the rule's endpoint and partner. */
  seen: 'bigint NOT NULL',
  /** Requests on which the rule fired. */
  fired: 'bigint NOT NULL',
} as const;

/** The latest requests, see `LoggedRequest`. */
const REQUESTS = {
  id: 'bigint NOT NULL PRIMARY KEY',
  at: 'bigint NOT NULL',
  partner: 'text',
  method: 'text NOT NULL',
  endpoint: 'text',
  path: 'text NOT NULL',
  query: 'text NOT NULL',
  body: 'text',
  status: 'integer',
  answer: 'text',
  ms: 'bigint NOT NULL',
  fault: 'bigint',
} as const;

/** Named snapshots, with their clocks and counters; times in milliseconds. */
const SNAPSHOTS = {
  generation: 'bigint NOT NULL PRIMARY KEY',
  name: 'text NOT NULL UNIQUE',
  /** Time of the wall clock. */
  saved_at: 'bigint NOT NULL',
  /** Time of the sandbox's clock. */
  now: 'bigint NOT NULL',
  clock_offset: 'bigint NOT NULL',
  clock_start: 'bigint',
  clock_rebased: 'bigint NOT NULL',
  orders_made: 'bigint NOT NULL',
  partners_made: 'bigint NOT NULL',
  faults_made: 'bigint NOT NULL',
  orders: 'bigint NOT NULL',
} as const;

/** Tables whose rows belong to a generation, and are copied with it. */
export const COPIED_TABLES = {
  sandbox_partners: PARTNERS,
  sandbox_faults: FAULTS,
  sandbox_orders: ORDERS,
  sandbox_events: EVENTS,
} as const;

const GENERATION = { generation: 'bigint NOT NULL' } as const;

const TABLES = {
  sandbox_state: STATE,
  sandbox_partners: { ...GENERATION, ...PARTNERS },
  sandbox_orders: { ...GENERATION, ...ORDERS },
  sandbox_events: { ...GENERATION, ...EVENTS },
  sandbox_faults: { ...GENERATION, ...FAULTS },
  /** One row with the catalogue text of the last started server, null for the built-in one: the state is read with every request. */
  sandbox_catalogues: { id: 'integer NOT NULL PRIMARY KEY', source: 'text' },
  sandbox_requests: REQUESTS,
  /** One row that counts requests, so that their ids grow on after a reset and from server to server. */
  sandbox_request_counts: { id: 'integer NOT NULL PRIMARY KEY', made: 'bigint NOT NULL' },
  sandbox_snapshots: SNAPSHOTS,
  /** Counts of the rate limiter. */
  sandbox_limits: { key: 'text NOT NULL PRIMARY KEY', points: 'bigint NOT NULL', expire: 'bigint NOT NULL' },
} as const;

export type StateTable = RowOf<typeof STATE>;
export type OrderTable = RowOf<typeof ORDERS>;
export type EventTable = RowOf<typeof EVENTS>;
export type FaultTable = RowOf<typeof FAULTS>;
export type SnapshotTable = RowOf<typeof SNAPSHOTS>;
export type SandboxSchema = SchemaOf<typeof TABLES>;

const createTable = tableMaker(TABLES);

export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      createTable('sandbox_state'),
      createTable('sandbox_partners', 'PRIMARY KEY (generation, public_key)', 'UNIQUE (generation, name)'),
      createTable('sandbox_orders', 'PRIMARY KEY (generation, sequence)'),
      createTable('sandbox_events', 'PRIMARY KEY (generation, order_sequence, position)'),
      createTable('sandbox_faults', 'PRIMARY KEY (generation, id)'),
      createTable('sandbox_catalogues'),
      createTable('sandbox_requests'),
      createTable('sandbox_request_counts'),
      'INSERT INTO sandbox_request_counts (id, made) VALUES (1, 0)',
      createTable('sandbox_snapshots'),
      createTable('sandbox_limits'),
    ],
  },
];

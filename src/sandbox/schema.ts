import type { Migration } from '../database/database.ts';

/** The one row that all processes on a database share. */
export interface StateTable {
  id: number;
  /** Where prices and addresses start from. */
  seed: number;
  /** 1 where the seed was given and not drawn. */
  seeded: number;
  /** Key of everything that must not be guessed, 64 hex digits. */
  master_key: string;
  /** Milliseconds by which the sandbox's clock is ahead. */
  clock_offset: number;
  /** Time at which the clock stands still, apart from the offset; null where it runs. */
  clock_start: number | null;
  orders_made: number;
  partners_made: number;
  faults_made: number;
  /** Grows with every change of clock, partners or faults, so that others notice it. */
  revision: number;
}

/** A partner and its key pair. */
export interface PartnerTable {
  public_key: string;
  name: string;
  secret: string;
  position: number;
}

/** An order as agreed, see `Order`. */
export interface OrderTable {
  order_number: string;
  sequence: number;
  partner_key: string;
  type: string;
  last_source: string;
  deposit_coin: string;
  deposit_name: string;
  deposit_network: string;
  deposit_amount: string;
  deposit_address: string;
  deposit_memo: string;
  deposit_fee: string;
  deposit_confirmations: number;
  receive_coin: string;
  receive_name: string;
  receive_network: string;
  receive_amount: string;
  receive_address: string;
  receive_memo: string;
  receive_fee: string;
  receive_confirmations: number;
  payout_tx_id: string;
  rate: string;
  min_amount: string;
  max_amount: string;
  refund_address: string;
  created_at: number;
  window_ms: number;
  confirmation_ms: number;
  exchange_ms: number;
}

/** Something that happened to an order, see `OrderEvent`. */
export interface EventTable {
  order_number: string;
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
  /** Requests that the rule's endpoint and partner fitted. */
  seen: number;
  /** Requests that it spoilt. */
  fired: number;
}

/** Points of the rate limiter; on SQLite in a file of its own. */
export interface LimitTable {
  key: string;
  points: number;
  expire: number;
}

/** Tables of the sandbox. */
export interface SandboxSchema {
  sandbox_state: StateTable;
  sandbox_partners: PartnerTable;
  sandbox_orders: OrderTable;
  sandbox_events: EventTable;
  sandbox_faults: FaultTable;
}

/** Tables of the rate limiter. */
export interface LimitSchema {
  sandbox_limits: LimitTable;
}

/** Migrations of {@link SandboxSchema}. */
export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `create table sandbox_state (
        id integer not null primary key, seed bigint not null, seeded integer not null, master_key text not null,
        clock_offset bigint not null, clock_start bigint, orders_made bigint not null, partners_made bigint not null,
        faults_made bigint not null, revision bigint not null)`,
      `create table sandbox_partners (
        public_key text not null primary key, name text not null unique, secret text not null, position bigint not null)`,
      `create table sandbox_orders (
        order_number text not null primary key, sequence bigint not null unique, partner_key text not null,
        type text not null, last_source text not null,
        deposit_coin text not null, deposit_name text not null, deposit_network text not null,
        deposit_amount text not null, deposit_address text not null, deposit_memo text not null,
        deposit_fee text not null, deposit_confirmations integer not null,
        receive_coin text not null, receive_name text not null, receive_network text not null,
        receive_amount text not null, receive_address text not null, receive_memo text not null,
        receive_fee text not null, receive_confirmations integer not null, payout_tx_id text not null,
        rate text not null, min_amount text not null, max_amount text not null, refund_address text not null,
        created_at bigint not null, window_ms bigint not null, confirmation_ms bigint not null,
        exchange_ms bigint not null)`,
      `create table sandbox_events (
        order_number text not null, position bigint not null, kind text not null, at bigint not null, amount text,
        receive text, tx_id text, primary key (order_number, position))`,
      `create table sandbox_faults (
        id bigint not null primary key, rule text not null, seen bigint not null, fired bigint not null)`,
    ],
  },
];

/** Migrations of {@link LimitSchema}. */
export const LIMIT_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      'create table sandbox_limits (key text not null primary key, points bigint not null, expire bigint not null)',
    ],
  },
];

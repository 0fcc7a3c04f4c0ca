import { type Expression, type SqlBool, sql } from 'kysely';
import type { Migration } from '../database/database.ts';

/**
 * Conditions of the partial indexes. They are written out: a database takes such an index only where the text of the query
 * has its condition.
 */
export const IS_OPEN = sql<SqlBool>`final = 0 and outcome = 'created'`;
export const IS_UNKNOWN = sql<SqlBool>`outcome = 'unknown'`;
export const IS_TROUBLED = sql<SqlBool>`troubled = 1`;
export const IS_LIVE = sql<SqlBool>`environment = 'live'`;
export const IS_PENDING = sql<SqlBool>`delivery = 'pending'`;
export const IS_UNDELIVERED = sql<SqlBool>`delivery in ('pending', 'failed')`;
export const IS_DELIVERED = sql<SqlBool>`delivery = 'delivered'`;

/**
 * Condition of an account's open swaps. The time of the next poll is there for SQLite, which would otherwise take an index
 * that has all swaps of the account.
 */
export function isOpenOf(account: string): Expression<SqlBool> {
  return sql<SqlBool>`${IS_OPEN} and account = ${account} and next_poll_at >= 0`;
}

/** A requested swap: the request, its outcome, and the swap as last seen. */
export interface IntentRow {
  readonly id: string;
  /** The key pair at its host: see `Owner`. */
  readonly account: string;
  /** Name of the profile that made the request, for people. */
  readonly profile: string;
  readonly environment: string;
  readonly host: string;
  readonly idempotency_key: string | null;
  /** JSON of the {@link CreateIntent}. */
  readonly request: string;
  /** Coin and network that the request sends, `USDT:TRX`; null without a request. */
  readonly deposit_asset: string | null;
  /** Coin and network that the request receives; null without a request. */
  readonly receive_asset: string | null;
  readonly outcome: string;
  /** Reason for the outcome, in the service's or our words. */
  readonly reason: string | null;
  readonly order_number: string | null;
  readonly requested_at: number;
  readonly seen_at: number | null;
  /** JSON of the swap as last seen. */
  readonly snapshot: string | null;
  readonly status_code: number | null;
  /** 1 if no further change is expected. */
  readonly final: number;
  readonly refund_address: string | null;
  /** JSON of the swap as it was first described. */
  readonly first_snapshot: string | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** JSON of the doubts' codes when last seen. */
  readonly doubts: string;
  /** When the swap is next due for a poll, in milliseconds since 1970; 0 means now. */
  readonly next_poll_at: number;
  /** Process that is polling the swap, until {@link poll_lease_until}. */
  readonly poll_lease: string | null;
  /** Milliseconds since 1970; 0 if it was never leased. */
  readonly poll_lease_until: number;
  /** When its status was last seen to change, in milliseconds since 1970. */
  readonly changed_at: number | null;
  /** Events of this swap so far: the next one has this number plus one as its sequence. */
  readonly events: number;
  /** JSON of the labels; null where there are none. */
  readonly labels: string | null;
  /** JSON of the swap of the last poll, if it is doubted and has not replaced the snapshot. */
  readonly doubted_snapshot: string | null;
  /** Number of changes so far, including those merged into the last one. */
  readonly changes: number;
  /** JSON of what reports add up of the swap; empty where it is too long for an index. */
  readonly figures: string;
  /** 1 if the swap has ended and still needs a person: see `needOf`. */
  readonly troubled: number;
}

/** What one poll, or one step of a create, changed. Times are milliseconds since 1970. */
export interface ChangeRow {
  readonly intent_id: string;
  /** Counts the changes of its entry from 1. */
  readonly sequence: number;
  readonly at: number;
  /** Last poll before it; null for the first change. */
  readonly unchanged_until: number | null;
  readonly type: string;
  readonly status: string | null;
  readonly status_code: number | null;
  /** JSON of the values before and after, by their paths. */
  readonly changes: string;
}

/** One event of a swap and the state of its delivery. Times are milliseconds since 1970. */
export interface EventRow {
  /** `evt_…`. */
  readonly id: string;
  readonly intent_id: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  readonly account: string;
  readonly profile: string;
  readonly environment: string;
  readonly order_number: string | null;
  readonly type: string;
  readonly at: number;
  /** JSON of the event exactly as it is delivered; it never changes. */
  readonly body: string;
  /** `none`, `pending`, `delivered` or `failed`. */
  readonly delivery: string;
  readonly attempts: number;
  readonly next_attempt_at: number | null;
  readonly last_error: string | null;
  /** Process that is delivering it, until {@link lease_until}. */
  readonly lease: string | null;
  readonly lease_until: number | null;
  readonly delivered_at: number | null;
}

/** One attempt to deliver an event. */
export interface EventAttemptRow {
  readonly id: string;
  readonly event_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `http` or `exec`. */
  readonly target: string;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

/** The budget of requests of one account, shared by all processes on the ledger. */
interface BudgetRow {
  readonly account: string;
  /** JSON of the token bucket. */
  readonly state: string;
  /** Counts the writes: a write names the version that it read. */
  readonly version: number;
  readonly updated_at: number;
}

/** Secret that signs the webhooks of an account. */
interface WebhookRow {
  readonly account: string;
  /** `whsec_…`. */
  readonly secret: string;
  /** When a listener first had a target, in milliseconds since 1970: later events are queued for delivery. */
  readonly since: number | null;
}

/** The ledger's tables. */
export interface LedgerSchema {
  readonly intents: IntentRow;
  readonly changes: ChangeRow;
  readonly events: EventRow;
  readonly event_attempts: EventAttemptRow;
  readonly budgets: BudgetRow;
  readonly webhooks: WebhookRow;
}

/** Steps of the ledger's schema, oldest first; released ones never change. */
export const LEDGER_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE intents (
        id text PRIMARY KEY,
        account text NOT NULL,
        profile text NOT NULL,
        environment text NOT NULL,
        host text NOT NULL,
        idempotency_key text,
        request text NOT NULL,
        deposit_asset text,
        receive_asset text,
        outcome text NOT NULL,
        reason text,
        order_number text,
        requested_at bigint NOT NULL,
        seen_at bigint,
        snapshot text,
        doubted_snapshot text,
        first_snapshot text,
        furthest text,
        doubts text NOT NULL,
        status_code integer,
        final integer NOT NULL,
        refund_address text,
        labels text,
        changed_at bigint,
        changes integer NOT NULL,
        events integer NOT NULL,
        next_poll_at bigint NOT NULL,
        poll_lease text,
        poll_lease_until bigint NOT NULL,
        figures text NOT NULL,
        troubled integer NOT NULL,
        UNIQUE (idempotency_key, account),
        UNIQUE (account, order_number)
      )`,
      // The columns after the id let a list by status, and the coins used last, be read from the index alone.
      `CREATE INDEX intents_by_time ON intents
        (requested_at, id, outcome, status_code, deposit_asset, receive_asset)`,
      // The addresses that earlier swaps of a coin used.
      'CREATE INDEX intents_by_deposit ON intents (deposit_asset, environment, requested_at, id)',
      'CREATE INDEX intents_by_receive ON intents (receive_asset, environment, requested_at, id)',
      'CREATE INDEX intents_by_order ON intents (order_number)',
      // The open swaps only, in the order in which those of each account are to be polled.
      `CREATE INDEX intents_to_poll ON intents (account, next_poll_at) WHERE final = 0 AND outcome = 'created'`,
      // Finds what other processes on the ledger have seen.
      'CREATE INDEX intents_by_sighting ON intents (account, seen_at)',
      `CREATE INDEX intents_unknown ON intents (requested_at, id) WHERE outcome = 'unknown'`,
      'CREATE INDEX intents_troubled ON intents (requested_at, id) WHERE troubled = 1',
      // Tells whether there is any live swap, of one profile too.
      `CREATE INDEX intents_live ON intents (profile) WHERE environment = 'live'`,
      // A report reads only this index: the rows are about a hundred times as long.
      `CREATE INDEX intents_of_profile ON intents
        (profile, requested_at, id, environment, outcome, status_code, figures)`,
      // Tells that nothing has labels, which a list would otherwise learn from all rows.
      'CREATE INDEX intents_labelled ON intents (requested_at, id) WHERE labels IS NOT NULL',
      `CREATE TABLE changes (
        intent_id text NOT NULL REFERENCES intents (id),
        sequence integer NOT NULL,
        at bigint NOT NULL,
        unchanged_until bigint,
        type text NOT NULL,
        status text,
        status_code integer,
        changes text NOT NULL,
        PRIMARY KEY (intent_id, sequence)
      )`,
      `CREATE TABLE events (
        id text PRIMARY KEY,
        intent_id text NOT NULL REFERENCES intents (id),
        sequence integer NOT NULL,
        account text NOT NULL,
        profile text NOT NULL,
        environment text NOT NULL,
        order_number text,
        type text NOT NULL,
        at bigint NOT NULL,
        body text NOT NULL,
        delivery text NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at bigint,
        last_error text,
        lease text,
        lease_until bigint,
        delivered_at bigint,
        UNIQUE (intent_id, sequence)
      )`,
      'CREATE INDEX events_by_time ON events (at, intent_id, sequence)',
      'CREATE INDEX events_by_account ON events (account, at)',
      'CREATE INDEX events_by_order ON events (order_number)',
      `CREATE INDEX events_to_deliver ON events (account, next_attempt_at) WHERE delivery = 'pending'`,
      // Finds the first undelivered event of a swap: the later ones wait for it.
      `CREATE INDEX events_of_swap ON events (intent_id, sequence) WHERE delivery = 'pending'`,
      `CREATE INDEX events_undelivered ON events (at, intent_id, sequence) WHERE delivery IN ('pending', 'failed')`,
      // Finds the delivered events that are old enough to be removed.
      `CREATE INDEX events_delivered ON events (delivered_at) WHERE delivery = 'delivered'`,
      `CREATE TABLE event_attempts (
        id text PRIMARY KEY,
        event_id text NOT NULL REFERENCES events (id),
        at bigint NOT NULL,
        target text NOT NULL,
        http_status integer,
        error text,
        milliseconds integer NOT NULL
      )`,
      'CREATE INDEX event_attempts_by_event ON event_attempts (event_id, at)',
      `CREATE TABLE budgets (
        account text PRIMARY KEY,
        state text NOT NULL,
        version bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE TABLE webhooks (
        account text PRIMARY KEY,
        secret text NOT NULL,
        since bigint
      )`,
    ],
  },
];

import type { Migration } from '../database/database.ts';

/** A requested swap: the request, its outcome, and the swap as last seen. */
export interface IntentRow {
  readonly id: string;
  readonly profile: string;
  readonly environment: string;
  readonly host: string;
  readonly idempotency_key: string | null;
  /** JSON of the {@link CreateIntent}. */
  readonly request: string;
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
  /** Path of the base URL; null in rows of the first version. */
  readonly path: string | null;
  readonly public_key: string | null;
  /** JSON of the swap as it was first described. */
  readonly first_snapshot: string | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** JSON of the doubts' codes when last seen; null where none were looked for. */
  readonly doubts: string | null;
  /** From when on the swap is to be looked at again, in milliseconds since 1970; 0 for at once. */
  readonly next_poll_at: number;
  /** Process that looks at the swap just now, until {@link poll_lease_until}. */
  readonly poll_lease: string | null;
  /** Milliseconds since 1970, 0 where nobody ever held it. */
  readonly poll_lease_until: number;
  /** When its status was last seen to change, in milliseconds since 1970. */
  readonly changed_at: number | null;
  /** Events of this swap so far: the next one has this number plus one as its sequence. */
  readonly events: number;
  /** JSON of the labels; null where there are none. */
  readonly labels: string | null;
  /** JSON of the swap of the last look, where it is in doubt and has not replaced the snapshot. */
  readonly doubted_snapshot: string | null;
  /** Recorded changes so far, those too that went into the last one. */
  readonly changes: number;
}

/** What one look, or one step of a create, changed. Times are milliseconds since 1970. */
export interface ChangeRow {
  readonly intent_id: string;
  /** Counts the changes of its entry from 1. */
  readonly sequence: number;
  readonly at: number;
  /** Last look before it; null for the first. */
  readonly unchanged_until: number | null;
  readonly type: string;
  readonly status: string | null;
  readonly status_code: number | null;
  /** JSON of the values before and after, by their paths. */
  readonly changes: string;
}

/** A change of a swap's status, as it was seen. */
export interface SightingRow {
  readonly id: string;
  readonly intent_id: string;
  readonly seen_at: number;
  readonly status: string;
  readonly status_code: number;
}

/** One event of a swap, as it is delivered, and how far its delivery is. Times are milliseconds since 1970. */
export interface EventRow {
  /** `evt_…`. */
  readonly id: string;
  readonly intent_id: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  readonly profile: string;
  readonly environment: string;
  readonly order_number: string | null;
  readonly type: string;
  readonly at: number;
  /** JSON of the event exactly as it is delivered; never made again. */
  readonly body: string;
  /** `none`, `pending`, `delivered` or `failed`. */
  readonly delivery: string;
  readonly attempts: number;
  readonly next_attempt_at: number | null;
  readonly last_error: string | null;
  /** Process that delivers it just now, until {@link lease_until}. */
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

/** The budget of requests of one key, shared by all processes on the ledger. */
export interface BudgetRow {
  /** SHA-256 of base URL and public key in hexadecimal digits; `built-in` for the built-in service. */
  readonly key: string;
  /** JSON of the token bucket. */
  readonly state: string;
  /** Counts the writes: whoever writes says which one was read. */
  readonly version: number;
  readonly updated_at: number;
}

/** Secret with which a profile signs its webhooks. */
export interface WebhookRow {
  readonly profile: string;
  /** `whsec_…`. */
  readonly secret: string;
  /** When somebody first listened with a target: events from then on wait for delivery. Milliseconds since 1970. */
  readonly since: number | null;
}

/** The ledger's tables. */
export interface LedgerSchema {
  readonly intents: IntentRow;
  readonly sightings: SightingRow;
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
        profile text NOT NULL,
        environment text NOT NULL,
        host text NOT NULL,
        idempotency_key text,
        request text NOT NULL,
        outcome text NOT NULL,
        reason text,
        order_number text,
        requested_at bigint NOT NULL,
        seen_at bigint,
        snapshot text,
        status_code integer,
        final integer NOT NULL,
        refund_address text,
        UNIQUE (profile, idempotency_key),
        UNIQUE (profile, host, order_number)
      )`,
      'CREATE INDEX intents_by_time ON intents (requested_at)',
      'CREATE INDEX intents_by_order ON intents (order_number)',
      `CREATE TABLE sightings (
        id text PRIMARY KEY,
        intent_id text NOT NULL REFERENCES intents (id),
        seen_at bigint NOT NULL,
        status text NOT NULL,
        status_code integer NOT NULL
      )`,
      'CREATE INDEX sightings_by_intent ON sightings (intent_id, seen_at)',
    ],
  },
  {
    version: 2,
    statements: [
      // The key of an old row stays valid: without a path or public key it matches any.
      'ALTER TABLE intents ADD COLUMN path text',
      'ALTER TABLE intents ADD COLUMN public_key text',
      'ALTER TABLE intents ADD COLUMN first_snapshot text',
      'ALTER TABLE intents ADD COLUMN furthest text',
      'ALTER TABLE intents ADD COLUMN doubts text',
      // The last snapshot is the earliest known one of an old row.
      'UPDATE intents SET first_snapshot = snapshot',
      `UPDATE intents SET furthest = (
        SELECT status FROM sightings WHERE intent_id = intents.id AND status <> 'unknown'
        ORDER BY CASE status
          WHEN 'success' THEN 3 WHEN 'refund' THEN 3 WHEN 'exchanging' THEN 2 WHEN 'new' THEN 0 ELSE 1 END DESC,
          seen_at
        LIMIT 1
      )`,
    ],
  },
  {
    version: 3,
    statements: [
      'ALTER TABLE intents ADD COLUMN next_poll_at bigint NOT NULL DEFAULT 0',
      'ALTER TABLE intents ADD COLUMN poll_lease text',
      'ALTER TABLE intents ADD COLUMN poll_lease_until bigint NOT NULL DEFAULT 0',
      'ALTER TABLE intents ADD COLUMN changed_at bigint',
      'ALTER TABLE intents ADD COLUMN events integer NOT NULL DEFAULT 0',
      'UPDATE intents SET changed_at = (SELECT max(seen_at) FROM sightings WHERE intent_id = intents.id)',
      // Holds the open swaps alone, in the order in which each profile's are to be looked at.
      `CREATE INDEX intents_to_poll ON intents (profile, next_poll_at) WHERE final = 0 AND outcome = 'created'`,
      // Finds what other processes on the ledger have seen meanwhile.
      'CREATE INDEX intents_by_sighting ON intents (profile, seen_at)',
      `CREATE TABLE events (
        id text PRIMARY KEY,
        intent_id text NOT NULL REFERENCES intents (id),
        sequence integer NOT NULL,
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
      'CREATE INDEX events_by_time ON events (at)',
      `CREATE INDEX events_to_deliver ON events (next_attempt_at) WHERE delivery = 'pending'`,
      // Finds the first undelivered event of a swap: the later ones wait for it.
      `CREATE INDEX events_undelivered ON events (intent_id, sequence) WHERE delivery = 'pending'`,
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
        key text PRIMARY KEY,
        state text NOT NULL,
        version bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE TABLE webhooks (
        profile text PRIMARY KEY,
        secret text NOT NULL,
        since bigint
      )`,
    ],
  },
  {
    version: 4,
    statements: ['ALTER TABLE intents ADD COLUMN labels text'],
  },
  {
    version: 5,
    statements: [
      // Two lists of a long ledger that need not be read whole: what has no outcome yet, and what one profile asked for.
      `CREATE INDEX intents_unknown ON intents (requested_at) WHERE outcome = 'unknown'`,
      'CREATE INDEX intents_of_profile ON intents (profile, requested_at)',
    ],
  },
  {
    version: 6,
    statements: [
      'ALTER TABLE intents ADD COLUMN doubted_snapshot text',
      'ALTER TABLE intents ADD COLUMN changes integer NOT NULL DEFAULT 0',
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
    ],
  },
  {
    version: 7,
    statements: [
      // Says at once whether there is any live swap, of one profile too.
      `CREATE INDEX intents_live ON intents (profile, requested_at) WHERE environment = 'live'`,
    ],
  },
];

import type { Migration } from '../database/database.ts';

/** One intended swap: what was asked for, what became of the request, and the swap as last seen. */
export interface IntentRow {
  readonly id: string;
  readonly profile: string;
  readonly environment: string;
  readonly host: string;
  readonly idempotency_key: string | null;
  /** JSON of the {@link CreateIntent}. */
  readonly request: string;
  readonly outcome: string;
  /** Why the outcome is what it is, in the service's or our words. */
  readonly reason: string | null;
  readonly order_number: string | null;
  readonly requested_at: number;
  readonly seen_at: number | null;
  /** JSON of the swap as last seen. */
  readonly snapshot: string | null;
  readonly status_code: number | null;
  /** 1 once no further change is expected. */
  readonly final: number;
  readonly refund_address: string | null;
  /** Path of the base URL; null in rows of the first version. */
  readonly path: string | null;
  readonly public_key: string | null;
  /** JSON of the swap as it was first described. */
  readonly first_snapshot: string | null;
  /** The status farthest on the way that was ever seen. */
  readonly furthest: string | null;
  /** JSON of the codes of doubts when last seen; null where nobody looked for any. */
  readonly doubts: string | null;
}

/** One change of a swap's status, as it was seen. */
export interface SightingRow {
  readonly id: string;
  readonly intent_id: string;
  readonly seen_at: number;
  readonly status: string;
  readonly status_code: number;
}

/** The ledger's tables. */
export interface LedgerSchema {
  readonly intents: IntentRow;
  readonly sightings: SightingRow;
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
      // A key of an old row stays its own: without a path or public key it goes with any.
      'ALTER TABLE intents ADD COLUMN path text',
      'ALTER TABLE intents ADD COLUMN public_key text',
      'ALTER TABLE intents ADD COLUMN first_snapshot text',
      'ALTER TABLE intents ADD COLUMN furthest text',
      'ALTER TABLE intents ADD COLUMN doubts text',
      // The earliest that is known of an old row is what was last seen.
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
];

import type { Migration } from '../database/database.ts';

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
  {
    version: 8,
    statements: [
      'ALTER TABLE intents ADD COLUMN figures text',
      // A report reads this index alone: the rows themselves are long, and all of them are a hundred times as much.
      'DROP INDEX intents_of_profile',
      `CREATE INDEX intents_of_profile ON intents
        (profile, requested_at, id, environment, outcome, seen_at, figures)`,
      // Says at once that nothing has labels, which a list would otherwise learn from all rows.
      'CREATE INDEX intents_labelled ON intents (requested_at) WHERE labels IS NOT NULL',
    ],
  },
];

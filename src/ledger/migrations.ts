import type { Migration } from '../database/database.ts';

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
      'CREATE INDEX intents_by_time ON intents (requested_at, id)',
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
        (profile, requested_at, id, environment, outcome, figures)`,
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

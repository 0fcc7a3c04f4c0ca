import type { Migration } from '../database/database.ts';
import { tableMaker } from '../database/tables.ts';
import { TABLES } from './schema.ts';

const REFERENCES_INTENT = 'FOREIGN KEY (intent_id) REFERENCES intents (id)';

const createTable = tableMaker(TABLES);

/** Steps of the ledger's schema, oldest first; released ones never change. */
export const LEDGER_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      createTable('intents', 'UNIQUE (idempotency_key, account)', 'UNIQUE (account, order_number)'),
      // The columns after the id let a list by status, a search and the coins used last be read from the index alone.
      `CREATE INDEX intents_by_time ON intents
        (requested_at, id, outcome, status_code, deposit_asset, receive_asset, search)`,
      // The addresses that earlier swaps of a coin used.
      'CREATE INDEX intents_by_deposit ON intents (deposit_asset, environment, requested_at, id)',
      'CREATE INDEX intents_by_receive ON intents (receive_asset, environment, requested_at, id)',
      'CREATE INDEX intents_by_order ON intents (order_number)',
      // The open swaps only, in the order in which those of each account are to be polled.
      `CREATE INDEX intents_to_poll ON intents (account, next_poll_at) WHERE final = 0 AND outcome = 'created'`,
      // Finds what other processes on the ledger have seen.
      'CREATE INDEX intents_by_seen_at ON intents (account, seen_at)',
      `CREATE INDEX intents_unknown ON intents (requested_at, id) WHERE outcome = 'unknown'`,
      'CREATE INDEX intents_troubled ON intents (requested_at, id) WHERE troubled = 1',
      // Shows whether there is any live swap, also for one profile.
      `CREATE INDEX intents_live ON intents (profile) WHERE environment = 'live'`,
      // A report, and one of the service's health, reads only this index: the rows are far longer.
      `CREATE INDEX intents_of_profile ON intents (profile, requested_at, id, environment, outcome, status_code, figures,
        deposit_asset, receive_asset, deposit_amount, doubts)`,
      // Shows that no row has labels, without reading all rows.
      'CREATE INDEX intents_labelled ON intents (requested_at, id) WHERE labels IS NOT NULL',
      // What a policy counts, read from the index alone; a replay reads in its order, without sorting.
      `CREATE INDEX intents_counted ON intents
        (account, counted_at, id, outcome, status_code, troubled, deposit_asset, deposit_amount)`,
      // What a policy counts as paid to a recipient.
      `CREATE INDEX intents_paid ON intents (account, payee, receive_asset, environment)
        WHERE outcome = 'created' AND status_code IN (4, 12)`,
      `CREATE INDEX intents_refunded ON intents (account, lower(refund_address), deposit_asset, environment)
        WHERE status_code = 13`,
      `CREATE INDEX intents_uncertain ON intents (account, counted_at)
        WHERE given_back = 0 AND outcome IN ('unknown', 'dismissed')`,
      createTable('facts', REFERENCES_INTENT),
      'CREATE INDEX facts_by_fact ON facts (fact)',
      createTable('changes', 'PRIMARY KEY (intent_id, sequence)', REFERENCES_INTENT),
      createTable('events', 'UNIQUE (intent_id, sequence)', REFERENCES_INTENT),
      'CREATE INDEX events_by_time ON events (at, intent_id, sequence)',
      'CREATE INDEX events_by_account ON events (account, at)',
      'CREATE INDEX events_by_order ON events (order_number)',
      `CREATE INDEX events_to_deliver ON events (account, next_attempt_at) WHERE delivery = 'pending'`,
      // Finds the first undelivered event of a swap: the later ones wait for it.
      `CREATE INDEX events_of_swap ON events (intent_id, sequence) WHERE delivery = 'pending'`,
      `CREATE INDEX events_undelivered ON events (at, intent_id, sequence) WHERE delivery IN ('pending', 'failed')`,
      // Finds the delivered events that are old enough to be removed.
      `CREATE INDEX events_delivered ON events (delivered_at) WHERE delivery = 'delivered'`,
      createTable('event_attempts', 'FOREIGN KEY (event_id) REFERENCES events (id)'),
      'CREATE INDEX event_attempts_by_event ON event_attempts (event_id, at)',
      createTable('budgets'),
      createTable('webhooks'),
      createTable('guards'),
      createTable('approvals'),
      'CREATE INDEX approvals_by_digest ON approvals (account, digest)',
      'CREATE INDEX approvals_by_time ON approvals (requested_at, id)',
      createTable('approval_uses'),
      createTable('audit'),
      createTable('answers', 'PRIMARY KEY (account, hour, endpoint, answer)'),
    ],
  },
];

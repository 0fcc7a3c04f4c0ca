import type { Database } from '../../database/database.ts';
import type { LedgerSchema } from '../schema.ts';
import type { Deliveries } from './deliveries.ts';
import { deliveries } from './deliveries.ts';
import type { LostCreates } from './lost-creates.ts';
import { lostCreates } from './lost-creates.ts';
import type { EventPruning } from './prune.ts';
import { eventPruning } from './prune.ts';
import type { EventReads } from './reads.ts';
import { eventReads } from './reads.ts';
import type { Webhooks } from './webhooks.ts';
import { webhooks } from './webhooks.ts';

/** The events of a ledger: reading, delivering and removing them. They are recorded with the looks that found them. */
export interface Events extends EventReads, Deliveries, EventPruning, LostCreates {
  readonly webhooks: Webhooks;
}

/** See {@link Events}. */
export function events(database: Database<LedgerSchema>): Events {
  return {
    ...eventReads(database.kysely),
    ...deliveries(database),
    ...eventPruning(database),
    ...lostCreates(database),
    webhooks: webhooks(database),
  };
}

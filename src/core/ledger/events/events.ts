import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/database.ts';
import { inParts } from '../entry.ts';
import { IS_DELIVERED, IS_PENDING, IS_UNDELIVERED, type LedgerSchema } from '../schema.ts';
import { deliveries } from './deliveries.ts';
import { type Attempt, EVENT_COLUMNS, type RecordedEvent } from './event.ts';
import { lostCreates } from './outbox.ts';

/** The events of a ledger; they are recorded with the observations that caused them. */
export type Events = ReturnType<typeof events>;

/** Reading, delivering and removing the events of a ledger, and its webhook secrets. All throw `storage_failed`. */
export function events(database: Database<LedgerSchema>) {
  return {
    ...eventReads(database.kysely),
    ...deliveries(database),
    ...eventPruning(database),
    ...lostCreates(database),
    webhooks: webhooks(database),
  };
}

/** Filter of a list of events; null leaves a condition out. */
export interface EventFilter {
  readonly profile: string | null;
  readonly order: string | null;
  readonly undelivered: boolean;
  /** Milliseconds since 1970. */
  readonly since: number | null;
}

function eventReads(kysely: Kysely<LedgerSchema>) {
  return {
    /** The newest events first, at most `limit`, and the number of all that match. */
    list: async (
      filter: EventFilter,
      limit: number | null,
    ): Promise<{ events: readonly RecordedEvent[]; count: number }> => {
      const matching = matchingEvents(kysely, filter);
      const newest = matching
        .select(EVENT_COLUMNS)
        .orderBy('at', 'desc')
        .orderBy('intent_id', 'desc')
        .orderBy('sequence', 'desc');
      const events = await (limit === null ? newest : newest.limit(limit)).execute();
      if (limit === null || events.length < limit) return { events, count: events.length };
      const { count } = await matching
        .select((is) => is.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return { events, count };
    },
    byId: async (id: string): Promise<RecordedEvent | null> => {
      const event = kysely.selectFrom('events').select(EVENT_COLUMNS).where('id', '=', id);
      return (await event.executeTakeFirst()) ?? null;
    },
    /** Every attempt to deliver an event, oldest first. */
    attempts: (id: string): Promise<readonly Attempt[]> =>
      kysely
        .selectFrom('event_attempts')
        .select(['at', 'target', 'http_status as httpStatus', 'error', 'milliseconds'])
        .where('event_id', '=', id)
        .orderBy('at')
        .execute(),
    /** Positions of the events of an account recorded at a time (that of the poll) or later, oldest first. */
    recordedSince: (account: string, at: number) =>
      kysely
        .selectFrom('events')
        .select(['id', 'intent_id as intentId', 'sequence'])
        .where('account', '=', account)
        .where('at', '>=', at)
        .orderBy('at')
        .orderBy('sequence')
        .execute(),
    /** Events by their ids, in any order. */
    byIds: (ids: readonly string[]): Promise<readonly RecordedEvent[]> =>
      inParts(ids, (part) =>
        kysely.selectFrom('events').select(EVENT_COLUMNS).where('id', 'in', part).execute(),
      ),
    /** Number of events so far of each given entry. */
    counts: async (intentIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const rows = await inParts(intentIds, (part) =>
        kysely.selectFrom('intents').select(['id', 'events']).where('id', 'in', part).execute(),
      );
      return new Map(rows.map(({ id, events }) => [id, events]));
    },
    /** Number of events of an account that wait for delivery. */
    undelivered: async (account: string): Promise<number> => {
      const { count } = await kysely
        .selectFrom('events')
        .select((is) => is.fn.countAll<number>().as('count'))
        .where(IS_PENDING)
        .where('account', '=', account)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function matchingEvents(kysely: Kysely<LedgerSchema>, { profile, order, undelivered, since }: EventFilter) {
  let query = kysely.selectFrom('events');
  if (profile !== null) query = query.where('profile', '=', profile);
  if (order !== null) query = query.where('order_number', '=', order);
  if (undelivered) query = query.where(IS_UNDELIVERED);
  return since === null ? query : query.where('at', '>=', since);
}

/** Maximum number of events removed in one transaction, so that other writers wait only briefly. */
const MAX_IN_ONE_STEP = 50;

function eventPruning(database: Database<LedgerSchema>) {
  return {
    /** Removes some of the events delivered before a time, with their attempts; returns how many. */
    pruneDelivered: async (before: number): Promise<number> => {
      const old = await database.kysely
        .selectFrom('events')
        .select('id')
        .where(IS_DELIVERED)
        .where('delivered_at', '<', before)
        .orderBy('delivered_at')
        .limit(MAX_IN_ONE_STEP)
        .execute();
      if (old.length === 0) return 0;
      const ids = old.map(({ id }) => id);
      return database.transaction(async (tx) => {
        // An event that has been resent since is pending again.
        const gone = await tx
          .updateTable('events')
          .set({ lease: null })
          .where('id', 'in', ids)
          .where('delivery', '=', 'delivered')
          .returning('id')
          .execute();
        const removed = gone.map(({ id }) => id);
        if (removed.length === 0) return 0;
        await tx.deleteFrom('event_attempts').where('event_id', 'in', removed).execute();
        await tx.deleteFrom('events').where('id', 'in', removed).execute();
        return removed.length;
      });
    },
  };
}

/** The specification requires 24 to 64 bytes: https://www.standardwebhooks.com. */
const SECRET_BYTES = 32;

/** Secrets that sign the webhooks of each account. */
function webhooks({ kysely }: Database<LedgerSchema>) {
  const secretOf = async (account: string): Promise<string> => {
    // If several processes create one at the same time, the first one is kept.
    await kysely
      .insertInto('webhooks')
      .values({ account, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, since: null })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
    const row = await kysely
      .selectFrom('webhooks')
      .select('secret')
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    return row.secret;
  };
  return {
    /** The account's secret, `whsec_…`, created when first used. */
    secret: secretOf,
    /** Queues the events of an account for delivery from now on, and returns its secret. */
    listen: async (account: string, now: number): Promise<string> => {
      const secret = await secretOf(account);
      await kysely
        .updateTable('webhooks')
        .set({ since: now })
        .where('account', '=', account)
        .where('since', 'is', null)
        .execute();
      return secret;
    },
  };
}

import type { Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';
import { IS_PENDING, IS_UNDELIVERED } from '../schema.ts';
import type { Attempt, RecordedEvent } from './event.ts';
import { attemptOf, recordedEvent } from './event.ts';

/** Filter of a list of events; null leaves a condition out. */
export interface EventFilter {
  readonly profile: string | null;
  readonly order: string | null;
  readonly undelivered: boolean;
  /** Milliseconds since 1970. */
  readonly since: number | null;
}

/** An event's place in the ledger, without its body. */
export interface EventPlace {
  readonly id: string;
  readonly intentId: string;
  readonly sequence: number;
}

/** Read methods of the events. All throw `storage_failed`. */
export interface EventReads {
  /** The newest events first, `limit` at most; and how many there are in all. */
  list(
    filter: EventFilter,
    limit: number | null,
  ): Promise<{ events: readonly RecordedEvent[]; count: number }>;
  byId(id: string): Promise<RecordedEvent | null>;
  /** Every attempt to deliver an event, oldest first. */
  attempts(id: string): Promise<readonly Attempt[]>;
  /** Positions of the events of an account that were recorded at a time or later, oldest first; times are those of polls. */
  recordedSince(account: string, at: number): Promise<readonly EventPlace[]>;
  /** Events by their ids, in any order. */
  byIds(ids: readonly string[]): Promise<readonly RecordedEvent[]>;
  /** Number of events so far of each given entry. */
  counts(intentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Number of events of an account that wait for delivery. */
  undelivered(account: string): Promise<number>;
}

/** Both databases take many more parameters than this. */
const MAX_IN_ONE_QUERY = 500;

/** See {@link EventReads}. */
export function eventReads(kysely: Kysely<LedgerSchema>): EventReads {
  return {
    list: async (filter, limit) => {
      const matching = matchingEvents(kysely, filter);
      const newest = matching
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('intent_id', 'desc')
        .orderBy('sequence', 'desc');
      const rows = await (limit === null ? newest : newest.limit(limit)).execute();
      if (limit === null || rows.length < limit)
        return { events: rows.map(recordedEvent), count: rows.length };
      const { count } = await matching
        .select((is) => is.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      return { events: rows.map(recordedEvent), count: Number.parseInt(String(count), 10) };
    },
    byId: async (id) => {
      const row = await kysely.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : recordedEvent(row);
    },
    attempts: async (id) => {
      const rows = await kysely
        .selectFrom('event_attempts')
        .selectAll()
        .where('event_id', '=', id)
        .orderBy('at')
        .execute();
      return rows.map(attemptOf);
    },
    recordedSince: async (account, at) => {
      const rows = await kysely
        .selectFrom('events')
        .select(['id', 'intent_id', 'sequence'])
        .where('account', '=', account)
        .where('at', '>=', at)
        .orderBy('at')
        .orderBy('sequence')
        .execute();
      return rows.map(({ id, intent_id: intentId, sequence }) => ({ id, intentId, sequence }));
    },
    byIds: async (ids) => {
      const found: RecordedEvent[] = [];
      for (const part of parts(ids)) {
        const rows = await kysely.selectFrom('events').selectAll().where('id', 'in', part).execute();
        found.push(...rows.map(recordedEvent));
      }
      return found;
    },
    counts: async (intentIds) => {
      const found = new Map<string, number>();
      for (const part of parts(intentIds)) {
        const rows = await kysely
          .selectFrom('intents')
          .select(['id', 'events'])
          .where('id', 'in', part)
          .execute();
        for (const { id, events } of rows) found.set(id, events);
      }
      return found;
    },
    undelivered: async (account) => {
      const { count } = await kysely
        .selectFrom('events')
        .select((is) => is.fn.countAll<number | string>().as('count'))
        .where(IS_PENDING)
        .where('account', '=', account)
        .executeTakeFirstOrThrow();
      return Number.parseInt(String(count), 10);
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

function parts<T>(list: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(list.length / MAX_IN_ONE_QUERY);
  return Array.from({ length: count }, (_, at) =>
    list.slice(at * MAX_IN_ONE_QUERY, (at + 1) * MAX_IN_ONE_QUERY),
  );
}

import { randomUUID } from 'node:crypto';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { visible } from '../../../base/text.ts';
import type { Database } from '../../database/database.ts';
import { CLOCKS_DIFFER_MS } from '../entry.ts';
import { IS_PENDING, type LedgerSchema, type Transaction } from '../schema.ts';
import { type Attempt, EVENT_COLUMNS, type RecordedEvent } from './event.ts';

/** Delays before each retry, in milliseconds (docs/command-line/listen.md#delivery); after the last one, the delivery has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  30_000,
  2 * 60_000,
  10 * 60_000,
  3_600_000,
  4 * 3_600_000,
  12 * 3_600_000,
  24 * 3_600_000,
];

/** Lease of an event, in milliseconds: another process may deliver it afterwards. */
export const DELIVERY_LEASE_MS = 25_000;

/** Events that a listener delivers: those of an account, or only of certain orders. */
export interface DeliveryScope {
  readonly account: string;
  /** Null for all. */
  readonly orders: readonly string[] | null;
}

export interface DeliveryResult {
  readonly event: RecordedEvent;
  /** An attempt at each target: the event is delivered if none failed. Null for an event that no target wants. */
  readonly attempts: readonly Attempt[] | null;
}

/** Leasing events for delivery, and recording the results. All methods throw `storage_failed`. */
export function deliveries(database: Database<LedgerSchema>) {
  const { kysely } = database;
  const waiting = ({ account, orders }: DeliveryScope) => {
    const query = kysely.selectFrom('events').where(IS_PENDING).where('account', '=', account);
    return orders === null ? query : query.where('order_number', 'in', orders);
  };
  const take = async (
    { scope, holder, now, most }: { scope: DeliveryScope; holder: string; now: number; most: number },
    isDue: Condition,
  ) => {
    const free = waiting(scope).select('id').where(isDue).where(isFree(now));
    const first = free.orderBy('next_attempt_at').limit(most);
    const rows = await kysely
      .updateTable('events')
      .set({ lease: holder, lease_until: now + DELIVERY_LEASE_MS })
      .where('id', 'in', database.kind === 'postgres' ? first.forUpdate().skipLocked() : first)
      .returning(EVENT_COLUMNS)
      .execute();
    return rows.sort((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0));
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Leases at most `most` due events, those due for longest, so that no other listener delivers them too; of each swap
     * only its first undelivered event. A time further ahead than any that can have been written by now counts as past: the
     * clock has been set back since.
     */
    claim: async (
      scope: DeliveryScope,
      holder: string,
      now: number,
      most: number,
    ): Promise<readonly RecordedEvent[]> => {
      const asked = { scope, holder, now, most };
      const found = await take(asked, (is) => is('next_attempt_at', '<=', now));
      if (found.length > 0 || (now >= checkedAt && now - checkedAt < AHEAD_CHECK_MS)) return found;
      const ahead = await take(asked, isAhead(now));
      // While a long queue waits for its next attempts, each check reads all of it.
      if (ahead.length === 0) checkedAt = now;
      return ahead;
    },
    /** When the next event is due, in milliseconds since 1970; null if none is waiting. */
    nextDue: async (scope: DeliveryScope): Promise<number | null> => {
      const row = await waiting(scope)
        .select(['next_attempt_at', 'lease_until'])
        .where('next_attempt_at', 'is not', null)
        .orderBy('next_attempt_at')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : Math.max(row.next_attempt_at ?? 0, row.lease_until ?? 0);
    },
    /** Records rounds of delivery in one transaction, which waits for the disk once. */
    settle: (settled: readonly DeliveryResult[], now: number): Promise<void> =>
      database.transaction(async (tx) => {
        const swaps = [...new Set(settled.map(({ event }) => event.intentId))];
        await lockQueues(tx, database.kind, swaps);
        const attempts = settled.flatMap(({ event, attempts }) =>
          (attempts ?? []).map((attempt) => attemptRow(event, attempt)),
        );
        if (attempts.length > 0) await tx.insertInto('event_attempts').values(attempts).execute();
        for (const [values, ids] of outcomes(settled, now))
          await tx
            .updateTable('events')
            .set((is) => ({
              ...values,
              ...NO_LEASE,
              attempts: is('attempts', '+', values.delivery === 'none' ? 0 : 1),
            }))
            .where('id', 'in', ids)
            .where('delivery', '=', 'pending')
            .execute();
        await openQueues(tx, swaps, now);
      }),
    /** Queues an event again, from the start of the retry schedule; false if there is no such event. */
    resend: (id: string, now: number): Promise<boolean> =>
      database.transaction(async (tx) => {
        const event = tx.selectFrom('events').select('intent_id').where('id', '=', id);
        const row = await event.executeTakeFirst();
        if (row === undefined) return false;
        await lockQueues(tx, database.kind, [row.intent_id]);
        await tx
          .updateTable('events')
          .set({ delivery: 'pending', attempts: 0, next_attempt_at: null, delivered_at: null, ...NO_LEASE })
          .where('id', '=', id)
          .execute();
        await openQueues(tx, [row.intent_id], now);
        return true;
      }),
  };
}

/** Time between two searches for attempts that were scheduled before the clock was set back, in milliseconds. */
const AHEAD_CHECK_MS = 5_000;

type Condition = (is: ExpressionBuilder<LedgerSchema, 'events'>) => Expression<SqlBool>;

/** Whether no process has leased an event. A lease that ends later than any made by now is from a clock since set back. */
function isFree(now: number): Condition {
  return (is) =>
    is.or([
      is('lease_until', 'is', null),
      is('lease_until', '<=', now),
      is('lease_until', '>', now + DELIVERY_LEASE_MS + CLOCKS_DIFFER_MS),
    ]);
}

/** Whether the next attempt is later than its pause allows: the clock was set back since. */
function isAhead(now: number): Condition {
  const latest = now + CLOCKS_DIFFER_MS;
  const pauses = RETRY_DELAYS_MS.map(
    (pause, index) => sql`when ${sql.lit(index + 1)} then ${sql.lit(pause)}`,
  );
  const pause = sql`case attempts ${sql.join(pauses, sql` `)} else 0 end`;
  return (is) =>
    is.and([is('next_attempt_at', '>', latest), sql<SqlBool>`next_attempt_at - ${pause} > ${latest}`]);
}

const NO_LEASE = { lease: null, lease_until: null } as const;

/** What settling changes in an event. */
interface Outcome {
  readonly delivery?: string;
  readonly delivered_at?: number;
  readonly next_attempt_at: number | null;
  readonly last_error?: string | null;
}

/** The events grouped by what settling changes in them: nearly always one group, as nearly all are delivered. */
function outcomes(settled: readonly DeliveryResult[], now: number) {
  const groups = new Map<string, readonly [Outcome, string[]]>();
  for (const each of settled) {
    const outcome = outcomeOf(each, now);
    const key = JSON.stringify(outcome);
    const group = groups.get(key) ?? ([outcome, []] as const);
    group[1].push(each.event.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function outcomeOf({ event, attempts }: DeliveryResult, now: number): Outcome {
  if (attempts === null) return { delivery: 'none', next_attempt_at: null };
  const failed = attempts.find(({ error }) => error !== null);
  if (failed === undefined)
    return { delivery: 'delivered', delivered_at: now, next_attempt_at: null, last_error: null };
  const pause = RETRY_DELAYS_MS[event.attempts];
  const last = { last_error: visible(failed.error ?? '') };
  return pause === undefined
    ? { delivery: 'failed', next_attempt_at: null, ...last }
    : { next_attempt_at: now + pause, ...last };
}

function attemptRow(event: RecordedEvent, { at, target, httpStatus, error, milliseconds }: Attempt) {
  const words = error === null ? null : visible(error);
  return {
    id: randomUUID(),
    event_id: event.id,
    at,
    target,
    http_status: httpStatus,
    error: words,
    milliseconds,
  };
}

/** Locks swaps until the transaction ends, in one order, so that no two wait for each other. SQLite has one writer. */
async function lockQueues(
  tx: Transaction,
  kind: Database<LedgerSchema>['kind'],
  intentIds: readonly string[],
): Promise<void> {
  if (kind === 'sqlite') return;
  const swaps = tx.selectFrom('intents').select('id').where('id', 'in', intentIds);
  await swaps.orderBy('id').forUpdate().execute();
}

/**
 * Of the events of a swap that wait for delivery, only the first one has a time for its next attempt: the others wait for
 * it, and a search for what is due passes over them. Gives the first ones that have none the time `now`, and takes it from
 * others: one may be resent while a later one is on its way. To be called with the swaps locked.
 */
async function openQueues(tx: Transaction, intentIds: readonly string[], now: number): Promise<void> {
  const isFirst = sql<SqlBool>`id = (select first.id from events as first
    where first.intent_id = events.intent_id and first.delivery = 'pending' order by first.sequence limit 1)`;
  await tx
    .updateTable('events')
    .set({ next_attempt_at: sql`case when ${isFirst} then cast(${now} as bigint) end` })
    .where('intent_id', 'in', intentIds)
    .where(IS_PENDING)
    .where(sql<SqlBool>`(${isFirst}) = (next_attempt_at is null)`)
    .execute();
}

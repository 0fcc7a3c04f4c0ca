import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { visible } from '../../text.ts';
import { CLOCKS_DIFFER_MS } from '../polls.ts';
import type { LedgerSchema } from '../schema.ts';
import { IS_PENDING } from '../schema.ts';
import type { Attempt, RecordedEvent } from './event.ts';
import { recordedEvent } from './event.ts';
import { alignQueue, lockQueue } from './queue.ts';

/** Pauses before an event is sent again, in milliseconds: docs/command-line.md#events. After the last one it failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[5_000, 30_000, 2 * 60_000, 10 * 60_000],
  ...[3_600_000, 4 * 3_600_000, 12 * 3_600_000, 24 * 3_600_000],
];

/** Lease of an event, in milliseconds: another process may deliver it afterwards. */
export const DELIVERY_LEASE_MS = 25_000;

/** Events that a listener delivers: those of an account, of certain orders where these are named. */
export interface DeliveryScope {
  readonly account: string;
  /** Null for all. */
  readonly orders: readonly string[] | null;
}

/** Giving events out for delivery, and recording what came of it. All methods throw `storage_failed`. */
export interface Deliveries {
  /**
   * Leases the event that has been due for the longest time, so that no other listener delivers it too. Of each swap that
   * is its first undelivered one. Null where none is due. A time that is further ahead than any that can have been written
   * by now counts as past: the clock was set back since.
   */
  claim(scope: DeliveryScope, holder: string, now: number): Promise<RecordedEvent | null>;
  /** When the next event is due, in milliseconds since 1970; null where none waits. */
  nextDue(scope: DeliveryScope): Promise<number | null>;
  /** Records the attempts of one round of delivery, at all targets: it is delivered if none of them failed. */
  settle(event: RecordedEvent, attempts: readonly Attempt[], now: number): Promise<void>;
  /** Takes an event out of the queue that nobody wants. */
  discard(event: RecordedEvent, now: number): Promise<void>;
  /** Has an event delivered again, from the start of the schedule. False where there is none. */
  resend(id: string, now: number): Promise<boolean>;
}

/** See {@link Deliveries}. */
export function deliveries(database: Database<LedgerSchema>): Deliveries {
  const { kysely } = database;
  const waiting = ({ account, orders }: DeliveryScope) => {
    const query = kysely.selectFrom('events').where(IS_PENDING).where('account', '=', account);
    return orders === null ? query : query.where('order_number', 'in', orders);
  };
  const take = async (scope: DeliveryScope, holder: string, now: number, isDue: Condition) => {
    const free = waiting(scope).select('id').where(isDue).where(isFree(now));
    const first = free.orderBy('next_attempt_at').limit(1);
    const row = await kysely
      .updateTable('events')
      .set({ lease: holder, lease_until: now + DELIVERY_LEASE_MS })
      .where('id', '=', database.kind === 'postgres' ? first.forUpdate().skipLocked() : first)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : recordedEvent(row);
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    claim: async (scope, holder, now) => {
      const event = await take(scope, holder, now, (is) => is('next_attempt_at', '<=', now));
      if (event !== null || (now >= checkedAt && now - checkedAt < AHEAD_CHECK_MS)) return event;
      const ahead = await take(scope, holder, now, isAhead(now));
      // With all of a long queue waiting for another attempt, a check reads all of it.
      if (ahead === null) checkedAt = now;
      return ahead;
    },
    nextDue: async (scope) => {
      const row = await waiting(scope)
        .select(['next_attempt_at', 'lease_until'])
        .where('next_attempt_at', 'is not', null)
        .orderBy('next_attempt_at')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : Math.max(row.next_attempt_at ?? 0, row.lease_until ?? 0);
    },
    settle: (event, attempts, now) =>
      database.transaction(async (tx) => {
        if (!(await lockQueue(tx, event.intentId))) return;
        for (const { at, target, httpStatus, error, milliseconds } of attempts)
          await tx
            .insertInto('event_attempts')
            .values({
              ...{ id: randomUUID(), event_id: event.id, at, target, http_status: httpStatus },
              ...{ error: error === null ? null : visible(error), milliseconds },
            })
            .execute();
        const failed = attempts.find(({ error }) => error !== null);
        await tx
          .updateTable('events')
          .set({ ...(failed === undefined ? deliveredAt(now) : failedAt(event, failed, now)), ...NOBODYS })
          .set((value) => ({ attempts: value('attempts', '+', 1) }))
          .where('id', '=', event.id)
          .where('delivery', '=', 'pending')
          .execute();
        await alignQueue(tx, event.intentId, now);
      }),
    discard: (event, now) =>
      database.transaction(async (tx) => {
        if (!(await lockQueue(tx, event.intentId))) return;
        await tx
          .updateTable('events')
          .set({ delivery: 'none', next_attempt_at: null, ...NOBODYS })
          .where('id', '=', event.id)
          .execute();
        await alignQueue(tx, event.intentId, now);
      }),
    resend: (id, now) =>
      database.transaction(async (tx) => {
        const row = await tx.selectFrom('events').select('intent_id').where('id', '=', id).executeTakeFirst();
        if (row === undefined || !(await lockQueue(tx, row.intent_id))) return false;
        await tx
          .updateTable('events')
          .set({ delivery: 'pending', attempts: 0, next_attempt_at: now, delivered_at: null, ...NOBODYS })
          .where('id', '=', id)
          .execute();
        await alignQueue(tx, row.intent_id, now);
        return true;
      }),
  };
}

/** Pause between two checks for attempts that were scheduled before the clock was set back, in milliseconds. */
const AHEAD_CHECK_MS = 5_000;

type Condition = (is: ExpressionBuilder<LedgerSchema, 'events'>) => Expression<SqlBool>;

/** Whether no process holds an event. A lease that ends later than any made by now is of a clock that was set back. */
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

const NOBODYS = { lease: null, lease_until: null } as const;

function deliveredAt(now: number) {
  return { delivery: 'delivered', delivered_at: now, next_attempt_at: null, last_error: null };
}

function failedAt({ attempts }: RecordedEvent, { error }: Attempt, now: number) {
  const delay = RETRY_DELAYS_MS[attempts];
  const last = { last_error: error === null ? null : visible(error) };
  if (delay === undefined) return { delivery: 'failed', next_attempt_at: null, ...last };
  return { next_attempt_at: now + delay, ...last };
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { visible } from '../../text.ts';
import type { LedgerSchema } from '../schema.ts';
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
   * Takes the event that has been due for the longest time, so that no other listener delivers it meanwhile. Of each
   * swap that is its first undelivered one. Null where none is due.
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
  const due = ({ account, orders }: DeliveryScope) => {
    const query = kysely
      .selectFrom('events')
      .where('delivery', '=', 'pending')
      .where('account', '=', account)
      .where('next_attempt_at', 'is not', null);
    return orders === null ? query : query.where('order_number', 'in', orders);
  };
  return {
    claim: async (scope, holder, now) => {
      const free = due(scope)
        .select('id')
        .where('next_attempt_at', '<=', now)
        .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<=', now)]))
        .orderBy('next_attempt_at')
        .limit(1);
      const chosen = database.kind === 'postgres' ? free.forUpdate().skipLocked() : free;
      const row = await kysely
        .updateTable('events')
        .set({ lease: holder, lease_until: now + DELIVERY_LEASE_MS })
        .where('id', '=', chosen)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : recordedEvent(row);
    },
    nextDue: async (scope) => {
      const row = await due(scope)
        .select(['next_attempt_at', 'lease_until'])
        .orderBy('next_attempt_at')
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

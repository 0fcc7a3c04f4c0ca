import { randomBytes } from 'node:crypto';
import { StorageError } from '../../errors.ts';
import type { Environment } from '../../swap/swap.ts';
import type { EventAttemptRow, EventRow } from '../schema.ts';
import type { CreateIntent } from '../stored-json.ts';
import type { SwapResult } from '../swap-result.ts';

/** Type of the event of a swap in which something new is doubted. */
export const DOUBTFUL = 'swap.doubtful';

/** Type of the event of a create whose outcome is not known. */
export const CREATE_UNKNOWN = 'create.unknown';

/** Type of the event of a swap that is seen in a status for the first time, or in it again. */
export function statusType(status: string): string {
  return `swap.${status}`;
}

/** Subject of an event: a swap as it was seen, or the request of a create whose outcome is not known. */
export type EventData = { readonly swap: SwapResult } | { readonly request: CreateIntent | null };

/** A status with its code. */
export interface StatusAndCode {
  readonly status: string;
  readonly statusCode: number;
}

/** One event, keys in the order of docs/command-line/events.md#the-event. */
export interface SwapEvent {
  /** `evt_…`; the same in every attempt to deliver it. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  /** Null where no order is known. */
  readonly order: string | null;
  readonly profile: string;
  readonly environment: Environment;
  readonly data: EventData;
  /** The status before this event; null where there was none. */
  readonly previous: StatusAndCode | null;
}

/** State of the delivery of an event; `none` where nobody listened with a target when it was recorded. */
export type Delivery = 'none' | 'pending' | 'delivered' | 'failed';

/** An event with how far its delivery is. */
export interface RecordedEvent {
  readonly intentId: string;
  /** JSON of a {@link SwapEvent}, as it is delivered. */
  readonly body: string;
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sequence: number;
  readonly order: string | null;
  readonly profile: string;
  readonly delivery: Delivery;
  /** Since it was last sent on its way. */
  readonly attempts: number;
  /** Milliseconds since 1970; null where none is to come, or an earlier event of the swap comes first. */
  readonly nextAttemptAt: number | null;
  readonly lastError: string | null;
}

/** One attempt to deliver an event. */
export interface Attempt {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly target: 'http' | 'exec';
  /** Null where no answer came, and for a command. */
  readonly httpStatus: number | null;
  /** Null where it was delivered. */
  readonly error: string | null;
  readonly milliseconds: number;
}

/** A new id of an event. */
export function newEventId(): string {
  return `evt_${randomBytes(12).toString('hex')}`;
}

/** Reads an event's row. */
export function recordedEvent(row: EventRow): RecordedEvent {
  return {
    ...{ intentId: row.intent_id, body: row.body, id: row.id, type: row.type, at: row.at },
    ...{ sequence: row.sequence, order: row.order_number, profile: row.profile },
    delivery: row.delivery as Delivery,
    ...{ attempts: row.attempts, nextAttemptAt: row.next_attempt_at, lastError: row.last_error },
  };
}

/** The event that a body holds. Throws StorageError where it is not what swapctl writes there. */
export function storedEvent({ id, body }: RecordedEvent): SwapEvent {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && 'data' in value && 'sequence' in value)
      return value as SwapEvent;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StorageError(`The ledger holds an event that cannot be read: ${id}.`);
}

/** Reads an attempt's row. */
export function attemptOf(row: EventAttemptRow): Attempt {
  return {
    at: row.at,
    target: row.target === 'exec' ? 'exec' : 'http',
    httpStatus: row.http_status,
    error: row.error,
    milliseconds: row.milliseconds,
  };
}

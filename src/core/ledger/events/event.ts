import { StorageError } from '../../../base/errors.ts';
import { parsed } from '../../../base/text.ts';
import type { Environment } from '../../swap/swap.ts';
import type { CreateIntent } from '../entry.ts';
import type { SwapResult } from '../swap-result.ts';

export const DOUBTFUL = 'swap.doubtful';

export const CREATE_UNKNOWN = 'create.unknown';

/** Type of the event for a swap that has entered a status. */
export function statusType(status: string): string {
  return `swap.${status}`;
}

export interface ApprovalName {
  readonly id: string;
  readonly until: string;
}

/** One event, keys in the order of docs/command-line/events.md#the-event. */
export interface SwapEvent {
  /** `evt_…`; the same in every attempt to deliver it. */
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  /** Null if no order is known. */
  readonly order: string | null;
  readonly profile: string;
  readonly environment: Environment;
  /** A swap, or the request of a create of unknown outcome or one that needs an approval. */
  readonly data:
    | { readonly swap: SwapResult }
    | { readonly request: CreateIntent | null; readonly approval?: ApprovalName };
  /** The status before this event; null if there was none. */
  readonly previous: { readonly status: string; readonly statusCode: number } | null;
}

/** An event with the state of its delivery. */
export interface RecordedEvent extends Pick<SwapEvent, 'id' | 'type' | 'sequence' | 'order' | 'profile'> {
  readonly intentId: string;
  /** JSON of a {@link SwapEvent}, as it is delivered. */
  readonly body: string;
  readonly at: number;
  /** `none`, `pending`, `delivered` or `failed`; `none` if no listener had a target when it was recorded. */
  readonly delivery: string;
  /** Since it was last queued. */
  readonly attempts: number;
  /** Milliseconds since 1970; null if none will follow, or an earlier event of the swap must be delivered first. */
  readonly nextAttemptAt: number | null;
  readonly lastError: string | null;
}

export interface Attempt {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** `http`, `exec`, or the name of a program of the library. */
  readonly target: string;
  /** Null without an answer, and for a command. */
  readonly httpStatus: number | null;
  /** Null if it was delivered. */
  readonly error: string | null;
  readonly milliseconds: number;
}

/** The columns of a {@link RecordedEvent}. */
export const EVENT_COLUMNS = [
  'intent_id as intentId',
  'body',
  'id',
  'type',
  'at',
  'sequence',
  'order_number as order',
  'profile',
  'delivery',
  'attempts',
  'next_attempt_at as nextAttemptAt',
  'last_error as lastError',
] as const;

/** Parses the event in a body. Throws StorageError if swapctl did not write it. */
export function storedEvent({ id, body }: Pick<RecordedEvent, 'id' | 'body'>): SwapEvent {
  const value = parsed(body) as Partial<SwapEvent> | null | undefined;
  if (value?.data !== undefined && value.sequence !== undefined) return value as SwapEvent;
  throw new StorageError(`Event ${id} in the ledger is damaged.`);
}

import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';

/**
 * Conditions of the partial indexes. They are written out: a database takes such an index only where the text of the query
 * has its condition.
 */
export const IS_OPEN = sql<SqlBool>`final = 0 and outcome = 'created'`;
export const IS_UNKNOWN = sql<SqlBool>`outcome = 'unknown'`;
export const IS_TROUBLED = sql<SqlBool>`troubled = 1`;
export const IS_LIVE = sql<SqlBool>`environment = 'live'`;
export const IS_PENDING = sql<SqlBool>`delivery = 'pending'`;
export const IS_UNDELIVERED = sql<SqlBool>`delivery in ('pending', 'failed')`;
export const IS_DELIVERED = sql<SqlBool>`delivery = 'delivered'`;

/**
 * Condition of an account's open swaps. The time of the next poll is there for SQLite, which would otherwise take an index
 * that has all swaps of the account.
 */
export function isOpenOf(account: string): Expression<SqlBool> {
  return sql<SqlBool>`${IS_OPEN} and account = ${account} and next_poll_at >= 0`;
}

/** A requested swap: the request, its outcome, and the swap as last seen. */
export interface IntentRow {
  readonly id: string;
  /** The key pair at its host: see `Owner`. */
  readonly account: string;
  /** Name of the profile that made the request, for people. */
  readonly profile: string;
  readonly environment: string;
  readonly host: string;
  readonly idempotency_key: string | null;
  /** JSON of the {@link CreateIntent}. */
  readonly request: string;
  readonly outcome: string;
  /** Reason for the outcome, in the service's or our words. */
  readonly reason: string | null;
  readonly order_number: string | null;
  readonly requested_at: number;
  readonly seen_at: number | null;
  /** JSON of the swap as last seen. */
  readonly snapshot: string | null;
  readonly status_code: number | null;
  /** 1 if no further change is expected. */
  readonly final: number;
  readonly refund_address: string | null;
  /** JSON of the swap as it was first described. */
  readonly first_snapshot: string | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** JSON of the doubts' codes when last seen. */
  readonly doubts: string;
  /** From when on the swap is to be looked at again, in milliseconds since 1970; 0 for at once. */
  readonly next_poll_at: number;
  /** Process that looks at the swap just now, until {@link poll_lease_until}. */
  readonly poll_lease: string | null;
  /** Milliseconds since 1970, 0 where nobody ever held it. */
  readonly poll_lease_until: number;
  /** When its status was last seen to change, in milliseconds since 1970. */
  readonly changed_at: number | null;
  /** Events of this swap so far: the next one has this number plus one as its sequence. */
  readonly events: number;
  /** JSON of the labels; null where there are none. */
  readonly labels: string | null;
  /** JSON of the swap of the last look, where it is in doubt and has not replaced the snapshot. */
  readonly doubted_snapshot: string | null;
  /** Recorded changes so far, those too that went into the last one. */
  readonly changes: number;
  /** JSON of what reports add up of the swap; empty where it is too long for an index. */
  readonly figures: string;
  /** 1 if the swap has ended and still needs a person: see `needOf`. */
  readonly troubled: number;
}

/** What one look, or one step of a create, changed. Times are milliseconds since 1970. */
export interface ChangeRow {
  readonly intent_id: string;
  /** Counts the changes of its entry from 1. */
  readonly sequence: number;
  readonly at: number;
  /** Last look before it; null for the first. */
  readonly unchanged_until: number | null;
  readonly type: string;
  readonly status: string | null;
  readonly status_code: number | null;
  /** JSON of the values before and after, by their paths. */
  readonly changes: string;
}

/** One event of a swap, as it is delivered, and how far its delivery is. Times are milliseconds since 1970. */
export interface EventRow {
  /** `evt_…`. */
  readonly id: string;
  readonly intent_id: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  readonly account: string;
  readonly profile: string;
  readonly environment: string;
  readonly order_number: string | null;
  readonly type: string;
  readonly at: number;
  /** JSON of the event exactly as it is delivered; never made again. */
  readonly body: string;
  /** `none`, `pending`, `delivered` or `failed`. */
  readonly delivery: string;
  readonly attempts: number;
  readonly next_attempt_at: number | null;
  readonly last_error: string | null;
  /** Process that delivers it just now, until {@link lease_until}. */
  readonly lease: string | null;
  readonly lease_until: number | null;
  readonly delivered_at: number | null;
}

/** One attempt to deliver an event. */
export interface EventAttemptRow {
  readonly id: string;
  readonly event_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `http` or `exec`. */
  readonly target: string;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

/** The budget of requests of one account, shared by all processes on the ledger. */
export interface BudgetRow {
  readonly account: string;
  /** JSON of the token bucket. */
  readonly state: string;
  /** Counts the writes: whoever writes says which one was read. */
  readonly version: number;
  readonly updated_at: number;
}

/** Secret that signs the webhooks of an account. */
export interface WebhookRow {
  readonly account: string;
  /** `whsec_…`. */
  readonly secret: string;
  /** When somebody first listened with a target: events from then on wait for delivery. Milliseconds since 1970. */
  readonly since: number | null;
}

/** The ledger's tables. */
export interface LedgerSchema {
  readonly intents: IntentRow;
  readonly changes: ChangeRow;
  readonly events: EventRow;
  readonly event_attempts: EventAttemptRow;
  readonly budgets: BudgetRow;
  readonly webhooks: WebhookRow;
}

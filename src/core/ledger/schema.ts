import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { RowOf, SchemaOf } from '../database/tables.ts';

/** Conditions of the partial indexes, written out: a database takes such an index only if the query has its text. */
export const IS_OPEN = sql<SqlBool>`final = 0 and outcome = 'created'`;
export const IS_UNKNOWN = sql<SqlBool>`outcome = 'unknown'`;
/** Creates that may have made an order and are not followed: they count until the policy gives them back. */
export const IS_UNCERTAIN = sql<SqlBool>`given_back = 0 and outcome in ('unknown', 'dismissed')`;
export const IS_TROUBLED = sql<SqlBool>`troubled = 1`;
/** Status codes of docs/partner-api.md: paid out, and sent back. */
export const IS_PAID = sql<SqlBool>`outcome = 'created' and status_code in (4, 12)`;
export const IS_REFUNDED = sql<SqlBool>`status_code = 13`;
export const IS_LIVE = sql<SqlBool>`environment = 'live'`;
export const IS_PENDING = sql<SqlBool>`delivery = 'pending'`;
export const IS_UNDELIVERED = sql<SqlBool>`delivery in ('pending', 'failed')`;
export const IS_DELIVERED = sql<SqlBool>`delivery = 'delivered'`;

/** Condition of an account's open swaps. Without the time of the next poll, SQLite would take an index of all swaps. */
export function isOpenOf(account: string): Expression<SqlBool> {
  return sql<SqlBool>`${IS_OPEN} and account = ${account} and next_poll_at >= 0`;
}

/** A requested swap: the request, its outcome, and the swap as last seen. */
const INTENTS = {
  id: 'text PRIMARY KEY',
  /** The key pair at its host: see `Owner`. */
  account: 'text NOT NULL',
  /** Name of the profile that made the request, for people. */
  profile: 'text NOT NULL',
  environment: 'text NOT NULL',
  host: 'text NOT NULL',
  idempotency_key: 'text',
  /** JSON of the {@link CreateIntent}. */
  request: 'text NOT NULL',
  /** Coin and network that the request sends, `USDT:TRX`; null without a request. */
  deposit_asset: 'text',
  /** Coin and network that the request receives; null without a request. */
  receive_asset: 'text',
  /** Digest of the recipient of the payout: see `payeeOf`; null without a request. */
  payee: 'text',
  outcome: 'text NOT NULL',
  /** Reason for the outcome, in the service's or our words. */
  reason: 'text',
  order_number: 'text',
  requested_at: 'bigint NOT NULL',
  seen_at: 'bigint',
  /** JSON of the swap as last seen. */
  snapshot: 'text',
  /** JSON of the swap of the last poll, if it is doubted and has not replaced the snapshot. */
  doubted_snapshot: 'text',
  /** JSON of what of the snapshot was otherwise when the swap was first described: see `storedFirst`. */
  first_snapshot: 'text',
  /** The most advanced status ever seen. */
  furthest: 'text',
  /** JSON of the doubts' codes when last seen. */
  doubts: 'text NOT NULL',
  status_code: 'integer',
  /** 1 if no further change is expected. */
  final: 'integer NOT NULL',
  refund_address: 'text',
  /** JSON of the labels; null if there are none. */
  labels: 'text',
  /** When its status was last seen to change, in milliseconds since 1970. */
  changed_at: 'bigint',
  /** Number of changes so far, including those merged into the last one. */
  changes: 'integer NOT NULL',
  /** Events of this swap so far: the next one has this number plus one as its sequence. */
  events: 'integer NOT NULL',
  /** When the swap is next due for a poll, in milliseconds since 1970; 0 means now. */
  next_poll_at: 'bigint NOT NULL',
  /** Process that is polling the swap, until `poll_lease_until`. */
  poll_lease: 'text',
  /** Milliseconds since 1970; 0 if it was never leased. */
  poll_lease_until: 'bigint NOT NULL',
  /** JSON of what reports add up of the swap; empty if it is too long for an index. */
  figures: 'text NOT NULL',
  /** JSON of the {@link SentDeposit}; null if no one said that a deposit was sent. */
  sent: 'text',
  /** By a note, it needs no attention until then, in milliseconds since 1970. */
  quiet_until: 'bigint',
  /** Reference of the last note's case. */
  ticket: 'text',
  /** The words by which it is found; empty if they are too long for an index. */
  search: 'text NOT NULL',
  /** 1 if the swap has ended and still needs attention: see `needOf`. */
  troubled: 'integer NOT NULL',
  /** When it was counted for the policy, by a clock that is never set back; null if it was never sent. */
  counted_at: 'bigint',
  /** 1 for a dismissed create that no longer counts for the policy. */
  given_back: 'integer NOT NULL',
  /** Amount of the deposit that was requested; null without a request. */
  deposit_amount: 'text',
} as const;

/** The index of the facts by which a swap is found. An old fact stays, so an entry that is found is compared again. */
const FACTS = {
  /** Digest of the text. */
  fact: 'bigint NOT NULL',
  intent_id: 'text NOT NULL',
} as const;

/** What one poll, or one step of a create, changed. Times are milliseconds since 1970. */
const CHANGES = {
  intent_id: 'text NOT NULL',
  /** Counts the changes of its entry from 1. */
  sequence: 'integer NOT NULL',
  at: 'bigint NOT NULL',
  /** Last poll before it; null for the first change. */
  unchanged_until: 'bigint',
  type: 'text NOT NULL',
  status: 'text',
  status_code: 'integer',
  /** JSON of the values before and after, by their paths. */
  changes: 'text NOT NULL',
} as const;

/** One event of a swap and the state of its delivery. Times are milliseconds since 1970. */
const EVENTS = {
  /** `evt_…`. */
  id: 'text PRIMARY KEY',
  intent_id: 'text NOT NULL',
  /** Counts the events of its swap from 1, without a gap. */
  sequence: 'integer NOT NULL',
  account: 'text NOT NULL',
  profile: 'text NOT NULL',
  environment: 'text NOT NULL',
  order_number: 'text',
  type: 'text NOT NULL',
  at: 'bigint NOT NULL',
  /** JSON of the event exactly as it is delivered; it never changes. */
  body: 'text NOT NULL',
  /** `none`, `pending`, `delivered` or `failed`. */
  delivery: 'text NOT NULL',
  attempts: 'integer NOT NULL',
  next_attempt_at: 'bigint',
  last_error: 'text',
  /** Process that is delivering it, until `lease_until`. */
  lease: 'text',
  lease_until: 'bigint',
  delivered_at: 'bigint',
} as const;

const EVENT_ATTEMPTS = {
  id: 'text PRIMARY KEY',
  event_id: 'text NOT NULL',
  /** Milliseconds since 1970. */
  at: 'bigint NOT NULL',
  /** `http` or `exec`. */
  target: 'text NOT NULL',
  http_status: 'integer',
  error: 'text',
  milliseconds: 'integer NOT NULL',
} as const;

/** The budget of requests of one account, shared by all processes on the ledger. */
const BUDGETS = {
  account: 'text PRIMARY KEY',
  /** JSON of the token bucket. */
  state: 'text NOT NULL',
  /** Counts the writes: a write names the version that it read. */
  version: 'bigint NOT NULL',
  updated_at: 'bigint NOT NULL',
} as const;

/** Secret that signs the webhooks of an account. */
const WEBHOOKS = {
  account: 'text PRIMARY KEY',
  /** `whsec_…`. */
  secret: 'text NOT NULL',
  /** When a listener first had a target, in milliseconds since 1970: later events are queued for delivery. */
  since: 'bigint',
} as const;

/** What an account's creates must pass: one row, which is locked while a create is counted. */
const GUARDS = {
  account: 'text PRIMARY KEY',
  /** The policy as it is written; null for none. */
  policy: 'text',
  /** Public key of the owner, `ed25519:<base64>`, once it is pinned. */
  owner_key: 'text',
  /** JSON of the `Stop`; null while creates are allowed. */
  stop: 'text',
  /** JSON of the suspensions, each as a rule. */
  suspensions: 'text NOT NULL',
  /** Counts the writes. */
  version: 'bigint NOT NULL',
} as const;

/** A request for an approval and its state. Times are milliseconds since 1970. */
const APPROVALS = {
  id: 'text PRIMARY KEY',
  account: 'text NOT NULL',
  /** Profile and environment of the request, for people. */
  profile: 'text NOT NULL',
  environment: 'text NOT NULL',
  /** Digest of the request below, the account, the environment and the policy. */
  digest: 'text NOT NULL',
  /** Digest of the policy that demanded it. */
  policy: 'text NOT NULL',
  /** Entry that waits for it; null for a refund address. */
  intent_id: 'text',
  /** JSON of the request, as the approver is shown it. */
  request: 'text NOT NULL',
  /** JSON of the lists of keys: one of each list must sign. */
  wanted: 'text NOT NULL',
  requested_at: 'bigint NOT NULL',
  requested_by: 'text NOT NULL',
  until: 'bigint NOT NULL',
  /** `pending`, `granted` or `refused`; a used one is in the table of uses. */
  state: 'text NOT NULL',
  /** JSON of the signatures. */
  grants: 'text NOT NULL',
} as const;

/** A used approval. Rows are only added, so that a role that may neither update nor delete cannot use one again. */
const APPROVAL_USES = { approval_id: 'text PRIMARY KEY', at: 'bigint NOT NULL' } as const;

const AUDIT = {
  /** SQLite keeps no index of its own for an `integer` key. */
  n: 'integer PRIMARY KEY',
  account: 'text NOT NULL',
  /** JSON of the link without its hash: exactly what the hash covers. */
  body: 'text NOT NULL',
  hash: 'text NOT NULL',
} as const;

/** Answers of the service to requests of one endpoint in one hour. */
const ANSWERS = {
  account: 'text NOT NULL',
  /** Hours since 1970. */
  hour: 'bigint NOT NULL',
  endpoint: 'text NOT NULL',
  /** `ok`, `refused`, `limited`, `failed` or `unanswered`. */
  answer: 'text NOT NULL',
  count: 'bigint NOT NULL',
} as const;

export type IntentRow = RowOf<typeof INTENTS>;
export type ChangeRow = RowOf<typeof CHANGES>;
export type GuardRow = RowOf<typeof GUARDS>;
export type ApprovalRow = RowOf<typeof APPROVALS>;

/** The columns of each table. */
export const TABLES = {
  intents: INTENTS,
  facts: FACTS,
  changes: CHANGES,
  events: EVENTS,
  event_attempts: EVENT_ATTEMPTS,
  budgets: BUDGETS,
  webhooks: WEBHOOKS,
  guards: GUARDS,
  approvals: APPROVALS,
  approval_uses: APPROVAL_USES,
  audit: AUDIT,
  answers: ANSWERS,
} as const;

export type LedgerSchema = SchemaOf<typeof TABLES>;

/** The ledger, or a transaction of it. */
export type Transaction = Kysely<LedgerSchema>;

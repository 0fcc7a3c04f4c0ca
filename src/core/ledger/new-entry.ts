import { hash } from 'node:crypto';
import { recipientKey } from '../swap/policy/codes.ts';
import type { Recipient } from '../swap/policy/rule.ts';
import { coinLabel } from '../swap/swap.ts';
import { type CreateIntent, type Entry, storedLabels } from './entry.ts';
import { addFacts } from './facts.ts';
import { storedFigures } from './report/swap-figures.ts';
import type { Transaction } from './schema.ts';
import { searchText } from './search.ts';

/** The fields of an {@link Entry} that polls fill, as they are before the first poll. */
export const NEVER_SEEN = {
  swap: null,
  doubted: null,
  first: null,
  furthest: null,
  doubts: [],
  refundAddress: null,
  changedAt: null,
  seenAt: null,
} as const;

/** Fields of a new {@link Entry} of which only account and times are known: not sent, no request, order or labels. */
export const NEW_ENTRY = {
  ...NEVER_SEEN,
  idempotencyKey: null,
  request: null,
  outcome: 'not-sent',
  reason: null,
  order: null,
  labels: {},
  sent: null,
  quietUntil: null,
  ticket: null,
  changes: 0,
} as const;

/** Adds an entry that has no snapshot yet. */
export async function insertEntry(tx: Transaction, entry: Entry): Promise<void> {
  await tx.insertInto('intents').values(rowOfNewEntry(entry)).execute();
  await addFacts(tx, entry);
}

/** Its row; columns that are left out are null. */
function rowOfNewEntry(entry: Entry) {
  const { id, account, profile, environment, host, outcome } = entry;
  return {
    id,
    account,
    profile,
    environment,
    host,
    outcome,
    idempotency_key: entry.idempotencyKey,
    request: JSON.stringify(entry.request),
    ...assetColumns(entry.request),
    order_number: entry.order,
    requested_at: entry.requestedAt,
    doubts: JSON.stringify(entry.doubts),
    labels: storedLabels(entry.labels),
    figures: storedFigures(entry),
    search: searchText(entry),
    final: 0,
    changes: 0,
    events: 0,
    next_poll_at: 0,
    poll_lease_until: 0,
    troubled: 0,
    counted_at: null,
    given_back: 0,
  };
}

/** The columns used to find the coins and addresses of earlier requests, and to count their deposits and payouts. */
export function assetColumns(request: CreateIntent | null) {
  return {
    deposit_amount: request?.amount ?? null,
    deposit_asset: request === null ? null : coinLabel(request.deposit),
    receive_asset: request === null ? null : coinLabel(request.receive),
    payee: request === null ? null : payeeOf({ ...request, network: request.receive.network }),
  };
}

/** Digest of the recipient of a payout: a memo may be too long for an index. */
export function payeeOf(recipient: Omit<Recipient, 'what'>): string {
  return hash('sha256', recipientKey(recipient));
}

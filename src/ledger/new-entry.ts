import { coinLabel } from '../swap/coin-ref.ts';
import { type CreateIntent, type Entry, storedLabels } from './entry.ts';
import { storedFigures } from './report/swap-figures.ts';

/** The facts of an entry about which nothing is known yet. */
export const NEW_ENTRY = {
  idempotencyKey: null,
  request: null,
  outcome: 'not-sent',
  reason: null,
  order: null,
  seenAt: null,
  swap: null,
  doubted: null,
  first: null,
  furthest: null,
  doubts: [],
  refundAddress: null,
  labels: {},
  changedAt: null,
} as const;

/** The row of an entry that has no snapshot yet. */
export function rowOfNewEntry(entry: Entry) {
  return {
    id: entry.id,
    account: entry.account,
    profile: entry.profile,
    environment: entry.environment,
    host: entry.host,
    idempotency_key: entry.idempotencyKey,
    request: JSON.stringify(entry.request),
    ...assetColumns(entry.request),
    outcome: entry.outcome,
    reason: entry.reason,
    order_number: entry.order,
    requested_at: entry.requestedAt,
    seen_at: entry.seenAt,
    snapshot: null,
    doubted_snapshot: null,
    first_snapshot: null,
    furthest: null,
    doubts: JSON.stringify(entry.doubts),
    status_code: null,
    final: 0,
    refund_address: entry.refundAddress,
    labels: storedLabels(entry.labels),
    changed_at: null,
    changes: 0,
    events: 0,
    next_poll_at: 0,
    poll_lease: null,
    poll_lease_until: 0,
    figures: storedFigures(entry),
    troubled: 0,
    counted_at: null,
  };
}

/** The columns by which the coins and addresses of earlier requests are found, and their deposits counted. */
export function assetColumns(request: CreateIntent | null) {
  return {
    deposit_amount: request?.amount ?? null,
    deposit_asset: request === null ? null : coinLabel(request.deposit),
    receive_asset: request === null ? null : coinLabel(request.receive),
  };
}

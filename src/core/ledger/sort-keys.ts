import { parsed } from '../../base/text.ts';
import { isObject } from './entry.ts';
import type { IntentRow } from './schema.ts';

/** An entry, and the value of the column by which a list is sorted; null if it has none. */
export interface SortKey {
  readonly id: string;
  readonly value: string | null;
}

/** The columns of a list that are columns of the ledger. */
const OWN: Readonly<Record<string, keyof IntentRow>> = {
  order: 'order_number',
  statusCode: 'status_code',
  final: 'final',
  refundAddress: 'refund_address',
  'asked.deposit': 'deposit_amount',
  doubts: 'doubts',
  profile: 'profile',
  environment: 'environment',
  id: 'id',
  outcome: 'outcome',
  reason: 'reason',
  requestedAt: 'requested_at',
  seenAt: 'seen_at',
  idempotencyKey: 'idempotency_key',
};

/** Columns of a list that are computed when it is shown: the ledger cannot sort by them. */
export const COMPUTED_COLUMNS: readonly string[] = ['paymentUri', 'fundable', 'asked.receive'];

/** Paths at which a request has what the swap has under another path. */
const REQUESTED: Readonly<Record<string, string>> = {
  'deposit.amount': 'amount',
  'receive.address': 'address',
  'receive.memo': 'memo',
};

/** Where the ledger stores a column of a list: in a separate column, in the labels, or in the swap or its request. */
export function storedIn(column: string): keyof IntentRow | 'swap' {
  return column.startsWith('label.') ? 'labels' : (OWN[column] ?? 'swap');
}

/** A column's text to sort by, from `stored`, the part of its row that {@link storedIn} names; null if it has none. */
export function storedValue(column: string, stored: string | number | null): string | null {
  if (stored === null || stored === '[]') return null;
  if (storedIn(column) !== 'swap' && !column.startsWith('label.')) return String(stored);
  const content = parsed(String(stored));
  if (!isObject(content)) return null;
  if (column.startsWith('label.')) return textOf(content[column.slice('label.'.length)]);
  const path = 'status' in content ? column : (REQUESTED[column] ?? column);
  let value: unknown = content;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : null;
  return textOf(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

import type { HistoryResult } from '../../ledger/swap-result.ts';
import { labelCells, labelColumns } from '../../swap/labels.ts';
import { csvLine } from '../../terminal/csv.ts';
import type { Visible } from '../../text.ts';

const SIDE = ['coin', 'name', 'network', 'amount', 'address', 'memo', 'txId'] as const;

/** Columns of `history --csv`, before those of the labels: the paths of the JSON, with the doubts in one cell. */
const COLUMNS: readonly string[] = [
  ...['order', 'status', 'statusCode', 'final', 'type'],
  ...[...SIDE, 'confirmations', 'receivedAt', 'confirmedAt', 'fee'].map((key) => `deposit.${key}`),
  ...[...SIDE, 'paidAmount', 'confirmations', 'fee', 'receivedAt', 'confirmedAt'].map(
    (key) => `receive.${key}`,
  ),
  ...[
    'refundAddress',
    'riskScore',
    'createdAt',
    'startedAt',
    'endedAt',
    'duration',
    'expiresAt',
    'paymentUri',
  ],
  ...['fundable', 'asked.deposit', 'asked.receive', 'doubts', 'profile', 'environment'],
  ...['id', 'outcome', 'reason', 'requestedAt', 'seenAt', 'idempotencyKey'],
];

/** The header of `history --csv`, with a column for each label. */
export function historyCsvHeader(labelKeys: readonly string[]): Visible {
  return csvLine([...COLUMNS, ...labelColumns(labelKeys)]);
}

/** A line of `history --csv`; a value that is not known is an empty cell. */
export function historyCsvLine(entry: HistoryResult, labelKeys: readonly string[]): Visible {
  const cells = PATHS.map((path) => (path[0] === 'doubts' ? entry.doubts.join(' ') : cellAt(entry, path)));
  return csvLine([...cells, ...labelCells(entry.labels, labelKeys)]);
}

/** The columns as the keys that lead to their values. */
const PATHS = COLUMNS.map((column) => column.split('.'));

function cellAt(entry: object, path: readonly string[]): string {
  let value: unknown = entry;
  for (const key of path) value = (value as Record<string, unknown> | null)?.[key];
  return value === undefined || value === null ? '' : String(value);
}

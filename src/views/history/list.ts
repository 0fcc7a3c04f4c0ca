import type { HistoryResult } from '../../ledger/swap-result.ts';
import { labelsText } from '../../swap/labels.ts';
import type { DetailLine } from '../../terminal/details.ts';
import { renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Visible } from '../../text.ts';
import { joined, shown } from '../../text.ts';
import { relativeTime } from '../../time.ts';
import { otherThanAsked, sideText } from '../swap.ts';
import { besideAsked, columnsFor, doubtedStatus, judgedCells, swapCells } from '../swaps.ts';

/** Columns from which on a table has room for the ids of entries. */
const MIN_WIDTH_OF_IDS = 150;

/** The ledger, a row each; unknown outcomes stand first. `everybody` adds a column of the profiles. */
export function historyView(
  entries: readonly HistoryResult[],
  now: number,
  everybody = new Set(entries.map(({ profile }) => profile)).size > 1,
): View {
  return {
    json: () => entries,
    rows: () =>
      entries.map((entry) => [
        ...[entry.requestedAt, entry.outcome, ...swapCells(entry), entry.profile],
        ...[...judgedCells(entry), entry.id, entry.idempotencyKey, entry.reason],
        ...[entry.receive.paidAmount, entry.deposit.txId, entry.receive.txId],
      ]),
    screen: async (style, width) => {
      if (entries.length === 0) return '';
      const withIds = width >= MIN_WIDTH_OF_IDS;
      const labelled = entries.some(({ labels }) => Object.keys(labels).length > 0);
      const rows = entries.map((entry) => [
        entry.order ?? '-',
        entry.outcome === 'created'
          ? doubtedStatus(entry)
          : `${entry.outcome}${entry.outcome === 'unknown' ? '!' : ''}`,
        besideAsked(entry.deposit, entry.asked?.deposit),
        paidText(entry),
        relativeTime(entry.requestedAt, now),
        ...(everybody ? [entry.profile] : []),
        ...(labelled ? [labelsText(entry.labels)] : []),
        ...(withIds ? [entry.id] : []),
      ]);
      const columns = [
        ...columnsFor(style, 'OUTCOME', 'REQUESTED'),
        ...(everybody ? [{ title: 'PROFILE', wraps: true }] : []),
        ...(labelled ? [{ title: 'LABELS', wraps: true }] : []),
        ...(withIds ? [{ title: 'ID', paint: style.dim }] : []),
      ];
      const table = await renderTable(columns, rows, style, width);
      const told = entries.filter(({ outcome }) => outcome !== 'created');
      return joined([table, ...told.map((entry) => shown`\n${outcomeLines(entry, style, width)}`)]);
    },
  };
}

/** The id of an entry that became no order, why, and what tells it from others. */
function outcomeLines(entry: HistoryResult, style: Style, width: number): Visible {
  const { outcome } = entry;
  const lines: readonly DetailLine[] = [
    [`${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}`, entry.id, style.bold],
    ['Order', entry.order],
    ['Key', entry.idempotencyKey],
    ['Requested', entry.requestedAt],
    ['Profile', entry.profile],
    ['Reason', entry.reason, undefined, 'prose'],
  ];
  return renderDetails(lines, style, width);
}

/** What was paid, with the agreed amount where that is another; before a payout, what is to be received. */
function paidText({ receive, asked }: HistoryResult): string {
  const { paidAmount } = receive;
  if (paidAmount === null) return besideAsked(receive, asked?.receive);
  const paid = { ...receive, amount: paidAmount };
  const other = otherThanAsked(paid, asked?.receive ?? receive.amount);
  return other === null ? sideText(paid) : `${sideText(paid)} paid (${other} agreed)`;
}

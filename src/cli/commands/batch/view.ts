import type { ErrorJson } from '../../../base/errors.ts';
import { counted, joined, shown, type Visible } from '../../../base/text.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { labelCells, labelColumns } from '../../../core/swap/labels.ts';
import type { Side } from '../../../core/swap/swap.ts';
import type { RowOutcome } from '../../../core/swaps/batch/create.ts';
import type { BatchFigures } from '../../../core/swaps/batch/totals.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import { type DetailLine, flatRows, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { renderItems } from '../../terminal/table.ts';
import { sentence } from '../../terminal/width.ts';
import { cellReader, tableView } from '../../views/columns.ts';
import { SIDE_CELLS, sideText } from '../../views/swap.ts';
import { serviceLines } from '../shared/review-text.ts';

/** A row of the result, keys in the order of docs/command-line/output.md#json. */
export interface BatchRow {
  readonly row: number;
  readonly idempotencyKey: string;
  readonly outcome: RowOutcome;
  /** `replayed`, as `create` has it: the row already had this order. */
  readonly swap: (SwapResult & { readonly replayed: boolean }) | null;
  readonly error: ErrorJson | null;
}

export type BatchReview = BatchFigures & Pick<Service, 'profile' | 'environment' | 'host'>;

/** The review as the result of a dry run. */
export function reviewView(review: BatchReview): View {
  const result = { dryRun: true, ...review };
  return {
    json: () => result,
    rows: () => flatRows(result),
    screen: async (style, width) => {
      const { warnings, moreWarnings } = review;
      const texts = warnings.map(({ row, warning }) => `row ${row}: ${warning}`);
      if (moreWarnings > 0) texts.push(`${moreWarnings} more warnings like these.`);
      const warningText = joined(texts.map((text) => sentence(text, style.yellow, width)));
      return shown`${await reviewText(review, style, width)}${warningText}`;
    },
  };
}

/** Coins whose largest rows are shown; the others are counted. */
const MAX_LARGE_ROWS = 15;

/** The review for a person: totals of each coin and network, the largest rows, and the service. */
export async function reviewText(review: BatchReview, style: Style, width: number): Promise<Visible> {
  const { repeated, existing, lastExistingAt, unknown } = review;
  const noted = (label: string, count: number, words: string): DetailLine[] =>
    count === 0 ? [] : [[label, words, style.yellow, 'prose']];
  const lines: readonly DetailLine[] = [
    ['Rows', String(review.rows)],
    ['To create', String(review.toCreate), style.bold],
    ...noted('Repeated', repeated, `${repeated} of these already have an order and will get another`),
    ...noted('Existing', existing, `${existing} (newest ${lastExistingAt}), skipped`),
    ...noted('Unknown outcome', unknown, `${unknown}, not sent again`),
    ...totalLines(review, 'deposit', 'You send', style),
    ...totalLines(review, 'receive', 'You receive', style),
    ...serviceLines(review, style),
  ];
  const largest = await largestRows(review, style, width);
  return shown` ${style.bold(shown`Review`)}\n${renderDetails(lines, style, width)}${largest}`;
}

function totalLines({ totals }: BatchReview, side: Side, label: string, style: Style): readonly DetailLine[] {
  return totals
    .filter((total) => total.side === side)
    .map((total, index) => {
      const about = total.estimated ? 'about ' : '';
      const rows = counted(total.rows, 'row');
      return [index === 0 ? label : '', `${about}${sideText(total)} in ${rows}`, style.bold] as const;
    });
}

async function largestRows({ largest }: BatchReview, style: Style, width: number): Promise<Visible> {
  const rows = largest.slice(0, MAX_LARGE_ROWS);
  const table = await renderItems<(typeof rows)[number]>(
    rows,
    [
      { title: 'ROW', align: 'right', cell: ({ row }) => String(row) },
      { title: 'SEND', paint: style.bold, cell: ({ deposit }) => sideText(deposit) },
      { title: 'RECEIVE', cell: ({ receive }) => `about ${sideText(receive)}` },
      {
        title: 'ADDRESS',
        paint: style.cyan,
        cell: ({ address, memo }) => (memo === null ? address : `${address} memo ${memo}`),
      },
    ],
    style,
    width,
  );
  if (table === '') return shown``;
  const more = largest.length - rows.length;
  const rest = more === 0 ? shown`` : shown` … and ${more} more\n`;
  return shown`\n ${style.bold(shown`Largest rows`)}\n${table}${rest}\n`;
}

/** Rows of the result on a screen. */
export function batchView(rows: readonly BatchRow[]): View {
  return tableView(rows, batchCells, (style) => [
    { title: 'ROW', align: 'right', cell: ({ row }) => String(row) },
    { title: 'OUTCOME', paint: (text) => outcomePaint(style, text)(text), cell: ({ outcome }) => outcome },
    { title: 'ORDER', paint: style.bold, cell: ({ swap }) => swap?.order ?? '-' },
    { title: 'SEND', cell: ({ swap }) => (swap === null ? '-' : sideText(swap.deposit)) },
    {
      title: 'DEPOSIT ADDRESS',
      wraps: true,
      cell: ({ swap, error }) => (swap === null ? (error?.message ?? '') : depositInstruction(swap)),
    },
  ]);
}

function outcomePaint(style: Style, outcome: string): (text: Visible) => Visible {
  if (outcome === 'created') return style.green;
  return outcome === 'existing' ? style.yellow : style.red;
}

function depositInstruction({ deposit, fundable }: SwapResult): string {
  if (!fundable) return 'do not pay; check it with swapctl status first';
  return deposit.memo === null ? (deposit.address ?? '-') : `${deposit.address} memo ${deposit.memo}`;
}

/** A row of the result for a pipe. */
export const batchCells: (row: BatchRow) => readonly string[] = cellReader([
  'row',
  'outcome',
  'swap.order',
  'idempotencyKey',
  ...SIDE_CELLS.map((path) => `swap.${path}`),
  'swap.fundable',
  'error.code',
  'error.message',
]);

/** Paths of a row that are columns of the CSV result, labels aside. */
const COLUMNS: readonly string[] = [
  'row',
  'idempotencyKey',
  'outcome',
  'error.code',
  'error.message',
  'order',
  'status',
  'type',
  ...SIDE_CELLS,
  'refundAddress',
  'expiresAt',
  'fundable',
  'doubts',
  'profile',
  'environment',
];

const CSV_CELLS = cellReader(COLUMNS);

/** The header of the CSV result. */
export function batchColumns(labelKeys: readonly string[]): readonly string[] {
  return [...COLUMNS, ...labelColumns(labelKeys)];
}

/** A row of the CSV result; the order of {@link batchColumns}. */
export function batchCsvCells(result: BatchRow, labelKeys: readonly string[]): readonly string[] {
  const { swap, ...rest } = result;
  return [...CSV_CELLS({ ...swap, ...rest }), ...labelCells(swap?.labels ?? {}, labelKeys)];
}

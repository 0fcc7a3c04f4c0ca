import { joined, shown, type Visible } from '../../base/text.ts';
import { localValue } from '../../base/time.ts';
import type { LedgerSwap } from '../../core/ledger/swap-result.ts';
import { type DetailLine, flatRows, renderDetails } from '../terminal/details.ts';
import type { Cell, View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { type ItemColumn, renderItems } from '../terminal/table.ts';
import { statusWord } from './status.ts';

/** Columns and order of a list: the chosen columns (null: the usual ones), and the order (null: the usual one). */
export interface Listing {
  readonly columns: readonly string[] | null;
  readonly sort: { readonly column: string; readonly descending: boolean } | null;
  readonly reverse: boolean;
}

const SIDE = ['coin', 'name', 'network', 'amount', 'address', 'memo', 'txId'] as const;

/** The columns of a swap: the paths of its JSON. Labels are `label.<key>`. */
export const SWAP_COLUMNS: readonly string[] = [
  'order',
  'status',
  'statusCode',
  'final',
  'type',
  ...[...SIDE, 'confirmations', 'receivedAt', 'confirmedAt', 'fee'].map((key) => `deposit.${key}`),
  ...[...SIDE, 'paidAmount', 'confirmations', 'fee', 'receivedAt', 'confirmedAt'].map(
    (key) => `receive.${key}`,
  ),
  'refundAddress',
  'riskScore',
  'createdAt',
  'startedAt',
  'endedAt',
  'duration',
  'expiresAt',
  'paymentUri',
  'fundable',
  'asked.deposit',
  'asked.receive',
  'doubts',
  'profile',
  'environment',
];

/** The columns of `status`, and the additional ones of `--attention`. */
export const STATUS_COLUMNS: readonly string[] = [...SWAP_COLUMNS, 'seenAt'];
export const ATTENTION_COLUMNS: readonly string[] = [...STATUS_COLUMNS, 'id', 'attention'];

export const COIN_COLUMNS: readonly string[] = ['code', 'name', 'deposit', 'receive', 'image'];

/** Prefix of a label's key in the name of its column. */
export const LABEL_PREFIX = 'label.';

/** Reads the cells of columns from an item; a value that is not known is an empty cell. */
export function cellReader(columns: readonly string[]): (item: object) => string[] {
  const readers = columns.map(valueReader);
  return (item) => readers.map((read) => cellText(read(item)));
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the value of a column. Only the key of a label is someone else's, and might be one that every object has. */
function valueReader(column: string): (item: object) => unknown {
  if (column.startsWith(LABEL_PREFIX)) {
    const key = column.slice(LABEL_PREFIX.length);
    return (item) => {
      const labels = valueIn(item, 'labels');
      return typeof labels === 'object' && labels !== null && Object.hasOwn(labels, key)
        ? valueIn(labels, key)
        : null;
    };
  }
  const [first = '', ...rest] = column.split('.');
  const [second] = rest;
  if (second === undefined) return (item) => valueIn(item, first);
  return (item) => rest.reduce(valueIn, valueIn(item, first));
}

function valueIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Fields)[key] : undefined;
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cellText).join(' ');
  // The networks of a coin.
  if (typeof value === 'object' && 'network' in value) return cellText(value.network);
  return String(value);
}

/** Sorts items as a list is arranged: numbers by value, all else as text, and empty cells last. */
export function arranged<T extends object>(items: readonly T[], { sort, reverse }: Listing): readonly T[] {
  if (sort === null) return reverse ? items.toReversed() : items;
  const read = cellReader([sort.column]);
  return sortedBy(items, (item) => read(item)[0] ?? null, sort.descending !== reverse);
}

/** Sorts items by a text of each: numbers by value, all else as text, and those without one last. */
export function sortedBy<T>(
  items: readonly T[],
  textOf: (item: T) => string | null,
  descending: boolean,
): readonly T[] {
  const keyed = items.map((item) => ({ item, key: sortable(textOf(item) ?? '') }));
  const sign = descending ? -1 : 1;
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
    return a < b ? -sign : a > b ? sign : 0;
  });
  return keyed.map(({ item }) => item);
}

/** Digits of a number before its point, filled up with zeros, so that numbers are sorted as text. */
const MAX_WHOLE_DIGITS = 40;

function sortable(text: string): string {
  const [, whole, fraction = ''] = /^([0-9]+)(\.[0-9]+)?$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole.padStart(MAX_WHOLE_DIGITS, '0')}${fraction}`;
}

/** A list: a row of cells for each item in a pipe, by their paths or as `cells` reads them; a table on a screen. */
export function tableView<T extends object>(
  items: readonly T[],
  cells: readonly string[] | ((item: T) => readonly Cell[]),
  columns: (style: Style, width: number) => readonly ItemColumn<T>[],
): View {
  const read = typeof cells === 'function' ? cells : cellReader(cells);
  return {
    json: () => items,
    rows: () => items.map((item) => read(item)),
    screen: (style, width) => renderItems(items, columns(style, width), style, width),
  };
}

/** A single thing: a row for each of its values in a pipe, unless it has rows of its own; labelled lines on a screen. */
export function detailsView(
  value: object,
  lines: (style: Style) => readonly DetailLine[],
  rows: () => Iterable<readonly Cell[]> = () => flatRows(value),
): View {
  return { json: () => value, rows, screen: (style, width) => renderDetails(lines(style), style, width) };
}

function hasStatus(item: object): item is Pick<LedgerSwap, 'status' | 'statusCode'> {
  return 'status' in item && 'statusCode' in item;
}

/** A list with chosen columns: a table under their names, or their cells in a pipe; `usual` where none were chosen. */
export function listView(items: readonly object[], { columns }: Listing, usual: View): View {
  if (columns === null) return usual;
  const read = cellReader(columns);
  return {
    json: usual.json,
    rows: () => items.map(read),
    screen: (style, width) => {
      const shownColumns = columns.map((column, at) => ({
        title: column
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .replace('.', ' ')
          .toUpperCase(),
        cell: ({ item, cells }: { readonly item: object; readonly cells: readonly string[] }) =>
          column === 'status' && hasStatus(item) ? statusWord(item) : localValue(column, cells[at] ?? ''),
      }));
      const rows = items.map((item) => ({ item, cells: read(item) }));
      return renderItems(rows, shownColumns, style, width);
    },
  };
}

/** Parts that are not empty, with an empty line between them. */
export function paragraphs(parts: readonly (Visible | '')[]): Visible {
  const filled = parts.filter((part): part is Visible => part !== '');
  return joined(filled, shown`\n`);
}

import type { ErrorJson } from '../../base/errors.ts';
import { counted, joined, shown, type Visible, visible } from '../../base/text.ts';
import { localTime, localValue, readTime, relativeTime, zoneName } from '../../base/time.ts';
import type { HistoryResult, SwapResult } from '../../core/ledger/swap-result.ts';
import type { TimelineEvent, TimelineResult } from '../../core/ledger/timeline.ts';
import type { ChangedValue } from '../../core/swap/changes.ts';
import { labelsText } from '../../core/swap/labels.ts';
import { type DetailLine, renderDetails } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { type ItemColumn, renderItems } from '../terminal/table.ts';
import { displayWidth, indented, spaces, wrapWords } from '../terminal/width.ts';
import { cellReader, SWAP_COLUMNS } from './columns.ts';
import { age, environmentMark, statusColour, statusPaint, statusWord } from './status.ts';
import {
  amountCells,
  besideAsked,
  type CoinAmount,
  checkedCells,
  doubtedStatus,
  otherThanAsked,
  profileColumn,
  shortStatus,
  shortText,
  sideText,
  swapCells,
} from './swap.ts';

/** Width in columns from which a table has room for the ids of entries. */
const MIN_WIDTH_OF_IDS = 150;

/** Number of creates without an order that a table lists; more are summarised. */
const MAX_WITHOUT_ORDER = 3;

interface HistoryOptions {
  /** With a column for the profile; by default where there are several. */
  readonly everybody?: boolean | undefined;
  /** The time of the built-in service's clock, for the ages of its swaps; by default that of this machine. */
  readonly sandboxNow?: number | undefined;
  /** Whether a status was asked for: then a table leaves out nothing. */
  readonly isFiltered?: boolean;
}

/** The ledger, a row each, unknown outcomes first. On a screen, many failed creates are one line below the table. */
export function historyView(
  entries: readonly HistoryResult[],
  now: number,
  { everybody, sandboxNow = now, isFiltered = false }: HistoryOptions = {},
): View {
  // What the service created has an age by its clock.
  const begun = (entry: HistoryResult): readonly [string, number] => {
    const at =
      entry.outcome === 'created' && isOfBuiltIn(entry) ? (entry.createdAt ?? entry.startedAt) : null;
    return at === null || (readTime(at) ?? 0) > sandboxNow ? [entry.requestedAt, now] : [at, sandboxNow];
  };
  return {
    json: () => entries,
    rows: () =>
      entries.map((entry) => [
        entry.requestedAt,
        entry.outcome,
        ...swapCells(entry),
        entry.profile,
        ...checkedCells(entry),
        ...lastCells(entry),
      ]),
    screen: async (style, width) => {
      const isLabelled = entries.some(({ labels }) => Object.keys(labels).length > 0);
      const ids = { title: 'ID', paint: style.dim, cell: ({ id }: HistoryResult) => id, optional: 4 };
      const columns: ItemColumn<HistoryResult>[] = [
        { title: 'ORDER', paint: style.bold, cell: ({ order }) => order ?? '-' },
        {
          title: 'STATUS',
          paint: statusPaint(style),
          cell: outcomeWord,
          short: (entry) => (entry.outcome === 'created' ? shortStatus(entry) : outcomeWord(entry)),
        },
        { title: 'DEPOSIT', ...amountCells(({ deposit, asked }) => [deposit, asked?.deposit]) },
        { title: 'RECEIVE', cell: paidText, shortest: (entry) => shortText(...paidOf(entry)) },
        {
          title: 'REQUESTED',
          wraps: true,
          cell: (entry) => relativeTime(...begun(entry)),
          short: (entry) => {
            const [at, clock] = begun(entry);
            return age(readTime(at), clock);
          },
          optional: 2,
        },
        ...profileColumn(entries, everybody),
        ...(isLabelled ? [LABELS] : []),
        ...(width >= MIN_WIDTH_OF_IDS ? [ids] : []),
      ];
      const groups = FAILED_OUTCOMES.map((outcome) => entries.filter((entry) => entry.outcome === outcome));
      const many = isFiltered ? [] : groups.filter(({ length }) => length > MAX_WITHOUT_ORDER);
      const left = new Set(many.flat());
      const listed = entries.filter((entry) => !left.has(entry));
      const table = await renderItems(listed, columns, style, width);
      const reasons = groups.flatMap((group) => reasonLines(group, many.includes(group)));
      const unknown = entries.filter(({ outcome }) => outcome === 'unknown');
      return joined([
        ...(table === '' ? [] : [table]),
        ...(table === '' || reasons.length === 0 ? [] : [shown`\n`]),
        ...reasons
          .flatMap((line) => wrapWords(visible(line), width - 1))
          .map((line) => shown` ${style.dim(line)}\n`),
        ...unknown.map((entry) => shown`\n${outcomeLines(entry, style, width)}`),
      ]);
    },
  };
}

const PAID = ['receive.paidAmount', 'deposit.txId', 'receive.txId'];
const lastCells = cellReader(['id', 'idempotencyKey', 'reason', ...PAID]);

const LABELS: ItemColumn<HistoryResult> = {
  title: 'LABELS',
  wraps: true,
  cell: ({ labels }) => labelsText(labels),
  optional: 3,
};

/** Whether an entry is one of the profile `sandbox`, whose service is built in. */
export function isOfBuiltIn({ profile }: Pick<HistoryResult, 'profile'>): boolean {
  return profile === 'sandbox';
}

function outcomeWord(entry: HistoryResult): string {
  if (entry.outcome === 'created') return doubtedStatus(entry);
  return `${entry.outcome}${entry.outcome === 'unknown' ? '!' : ''}`;
}

/** Outcomes of creates that made no order, with what a sentence says of them. */
const FAILED_OUTCOMES = ['refused', 'not-sent'] as const;

/** Number of reasons that are listed for an outcome. */
const MAX_REASONS = 3;

/** Why the entries of an outcome have no order: a line for each reason, or one for all of them where they are not listed. */
function reasonLines(group: readonly HistoryResult[], isLeftOut: boolean): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { outcome } = first;
  const word = outcome.replace('-', ' ');
  const kinds = new Map<string, string[]>();
  for (const { reason } of group) {
    const text = reason?.replace(/\.$/, '') ?? 'no reason is known';
    const kind = text.replace(AMOUNT, '#');
    kinds.set(kind, [...(kinds.get(kind) ?? []), text]);
  }
  const lines = [...kinds.values()].map((reasons) => {
    const isSame = new Set(reasons).size === 1;
    return `${reasons.length} ${word}${isSame ? '' : ', such as'}: ${reasons[0]}`;
  });
  if (isLeftOut) {
    const what = lines.length === 1 ? lines[0] : `${group.length} ${word}, for ${lines.length} reasons`;
    return [`${what}; \`swapctl history --status ${outcome}\``];
  }
  const more = lines.length - MAX_REASONS;
  return more > 0 ? [...lines.slice(0, MAX_REASONS), `… and ${counted(more, 'other reason')}`] : lines;
}

/** Reasons that differ in amounts alone are of one kind. */
const AMOUNT = /[0-9]+(\.[0-9]+)?/g;

/** The id of an entry that has no order, why, and what distinguishes it. */
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

/** What was paid, with the agreed amount if different; before a payout, what is expected. */
function paidText(entry: HistoryResult): string {
  const [side, asked] = paidOf(entry);
  if (entry.receive.paidAmount === null) return besideAsked(side, asked);
  const other = otherThanAsked(side, asked);
  return other === null ? sideText(side) : `${sideText(side)} paid (${other} agreed)`;
}

/** What was paid or is expected, and the agreed amount. */
function paidOf({ receive, asked }: HistoryResult): [CoinAmount, string | null | undefined] {
  const { paidAmount } = receive;
  if (paidAmount === null) return [receive, asked?.receive];
  return [{ ...receive, amount: paidAmount }, asked?.receive ?? receive.amount];
}

/** Everything that is known about a swap; in a pipe a line for each value that changed. */
export function timelineView(timeline: TimelineResult, now: number): View {
  return {
    json: () => timeline,
    rows: () => timeline.events.flatMap(eventRows),
    screen: (style, width) =>
      shown`${heading(timeline, style, now, width)}${joined(timeline.events.map((event) => eventLines(event, style, width)))}`,
  };
}

function eventRows({ at, type, status, statusCode, changes }: TimelineEvent) {
  const head = [at, type, status, statusCode];
  const values = Object.entries(changes);
  if (values.length === 0) return [[...head, null, null, null]];
  return values.map(([path, [before, after]]) => [...head, path, valueText(before), valueText(after)]);
}

function heading({ order, swap }: TimelineResult, style: Style, now: number, width: number): Visible {
  const word = statusColour(style, swap.status)(visible(statusWord(swap)));
  const name = style.bold(visible(order ?? 'no order number'));
  const sides = visible(`${sideText(swap.deposit)} to ${sideText(swap.receive)}, profile ${swap.profile}`);
  const zone = style.dim(visible(`times are local, ${zoneName(now)}`));
  const first = shown` ${name}  ${word}  ${style.dim(shown`·`)} ${environmentMark(style, swap.environment)}`;
  const wrapped = indented(joined(wrapWords(sides, width - 1), shown`\n`), shown` `);
  return shown`${first}\n${wrapped} ${zone}\n`;
}

const INDENT = 4;

function eventLines(event: TimelineEvent, style: Style, width: number): Visible {
  const { at, type, status, changes } = event;
  const word = type.startsWith('swap.') && status !== null ? statusColour(style, status) : style.bold;
  const head = shown`\n ${style.dim(visible(localTime(at)))}  ${word(visible(titleOf(event)))}\n`;
  const listed = Object.entries(changes).filter(([path]) => !IN_TITLE.has(path));
  const longest = Math.max(0, ...listed.map(([path]) => displayWidth(visible(path))));
  const lines = listed.map(([path, change]) => changeLines(path, change, { style, width, longest }));
  return shown`${head}${joined(lines)}`;
}

interface Layout {
  readonly style: Style;
  readonly width: number;
  /** Columns of the longest path. */
  readonly longest: number;
}

/** A path with its values next to it, or on separate lines if they do not fit. */
function changeLines(
  path: string,
  [before, after]: readonly [ChangedValue, ChangedValue],
  { style, width, longest }: Layout,
): Visible {
  const name = visible(path);
  const start = shown`${spaces(INDENT)}${style.dim(name)}`;
  const [old, now] = [shownValue(path, before), shownValue(path, after)];
  const isNew = isNothing(before);
  const values = isNew ? [style.bold(now)] : [old, shown`→ ${style.bold(now)}`];
  const columns = displayWidth(isNew ? now : shown`${old} → ${now}`);
  if (columns <= width - INDENT - longest - 2)
    return shown`${start}${spaces(longest - displayWidth(name) + 2)}${joined(values, shown` `)}\n`;
  // One wider than the terminal starts at its edge, so that it breaks late.
  const isWide = INDENT + 4 + Math.max(displayWidth(old), displayWidth(now)) > width;
  const indent = spaces(isWide ? 0 : INDENT + 2);
  return shown`${start}\n${joined(values.map((value) => shown`${indent}${value}\n`))}`;
}

/** Paths that the title of an event already shows. */
const IN_TITLE: ReadonlySet<string> = new Set(['status', 'statusCode', 'final']);

const TITLES: ReadonlyMap<string, string> = new Map([
  ['create.requested', 'requested'],
  ['create.unknown', 'no usable response: outcome unknown'],
  ['create.refused', 'refused'],
  ['create.not-sent', 'not sent'],
  ['create.dismissed', 'dismissed'],
  ['swap.changed', 'changed'],
  ['refund_address.set', 'refund address set'],
  ['note.added', 'note'],
  ['deposit.sent', 'deposit sent, as reported'],
]);

function titleOf({ type, status, statusCode }: TimelineEvent): string {
  if (type === 'swap.doubtful') return `mismatch (${status})`;
  const known = TITLES.get(type);
  if (known !== undefined) return type === 'swap.changed' ? `${status}, changed` : known;
  return status === null || statusCode === null ? type : statusWord({ status, statusCode });
}

function shownValue(path: string, value: ChangedValue): Visible {
  return visible(isNothing(value) ? 'none' : localValue(path, valueText(value)));
}

function isNothing(value: ChangedValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function valueText(value: ChangedValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

const ENTRY_COLUMNS = ['id', 'outcome', 'reason', 'requestedAt', 'seenAt', 'idempotencyKey'];

/** The columns of `history`, before those of the labels: the paths of the JSON, with the doubts in one cell. */
export const HISTORY_COLUMNS: readonly string[] = [...SWAP_COLUMNS, ...ENTRY_COLUMNS];

/** Result for one order number of an import. */
export interface ImportLine {
  readonly order: string;
  readonly outcome: 'imported' | 'known' | 'not_found' | 'failed';
  /** The swap that was imported; null otherwise. */
  readonly swap: SwapResult | null;
  /** Why it was not imported; null otherwise. */
  readonly error: ErrorJson | null;
}

/** One line of an import; `progress` counts the lines. */
export function importLineView(line: ImportLine, progress: string): View {
  const { order, outcome, swap, error } = line;
  return {
    json: () => line,
    rows: () => [[order, outcome, swap?.status ?? null, swap?.statusCode ?? null, error?.message ?? null]],
    screen: (style) => {
      const head = shown` ${style.dim(visible(progress))}  ${visible(order)}  `;
      if (swap !== null) {
        const word = statusColour(style, swap.status)(visible(statusWord(swap)));
        const sides = visible(`${sideText(swap.deposit)} to ${sideText(swap.receive)}`);
        return shown`${head}${word}  ${sides}\n`;
      }
      if (outcome === 'known') return shown`${head}${style.dim(shown`already in the ledger`)}\n`;
      const why = outcome === 'not_found' ? visible('not found') : visible(error?.message ?? '');
      return shown`${head}${style.red(why)}\n`;
    },
  };
}

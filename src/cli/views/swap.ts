import { joined, shown, type Visible, visible } from '../../base/text.ts';
import { clockTime, readTime, relativeTime, spanWords } from '../../base/time.ts';
import type { LedgerSwap, SeenSwap, SwapResult } from '../../core/ledger/swap-result.ts';
import { statusMeaning } from '../../core/partner-api/statuses.ts';
import { sameAmount } from '../../core/swap/amount.ts';
import { labelsText } from '../../core/swap/labels.ts';
import type { UsualNextStatus } from '../../core/swap/polling.ts';
import { coinLabel } from '../../core/swap/swap.ts';
import { type DetailLine, flatRows, renderDetails } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import type { ItemColumn } from '../terminal/table.ts';
import { displayWidth, sentence, spaces, wrapWords } from '../terminal/width.ts';
import { cellReader, tableView } from './columns.ts';
import { rateName } from './quote.ts';
import { age, environmentMark, linksOf, statusColour, statusPaint, statusWord } from './status.ts';

/** What is shown with a swap's own values: its last poll, what usually happens next, and what to do. */
export interface SwapDetailsExtras {
  /** The time of its last poll in words, unless that was just now. */
  readonly lastPolled?: string | null;
  /** What usually happens next; null if too little is known. */
  readonly next?: UsualNextStatus | null;
  /** What a person has to do. */
  readonly action?: string | null;
}

export function swapView(
  swap: LedgerSwap,
  now: number,
  { lastPolled = null, next, action = null }: SwapDetailsExtras = {},
): View {
  const value = next === undefined ? swap : { ...swap, next, action };
  return {
    json: () => value,
    rows: () => flatRows(value),
    screen: (style, width) => {
      const lines: readonly DetailLine[] = [
        ...swapLines(swap, style, now),
        ['Last polled', lastPolled],
        ['Next', nextWords(next ?? null), undefined, 'prose'],
        ['Action', action, style.yellow, 'prose'],
      ];
      const details = renderDetails(lines, style, width);
      return shown`${doubtLines(swap, style, width)}${swapHeading(swap, style)}${details}`;
    },
  };
}

/** What usually happens next in words, with the swap's own time if longer than usual. */
export function nextWords(next: UsualNextStatus | null): string | null {
  if (next === null) return null;
  const { status, seconds, secondsSoFar } = next;
  const words = (number: number) => spanWords(number * 1000);
  const usual = `usually ${status} after ${words(seconds.median)}, for 9 of 10 swaps of this pair within ${words(seconds.p90)}`;
  return secondsSoFar > seconds.p90 ? `${usual}; this one has taken ${words(secondsSoFar)}` : usual;
}

/** One line for one change: the time, the status, and what it means; two lines on a narrow terminal. */
export function swapLine(
  style: Style,
  change: { readonly at: string; readonly swap: SwapResult; readonly before: SwapResult | null },
  width: number = Number.POSITIVE_INFINITY,
): Visible {
  const { at, swap, before } = change;
  const { deposit, receive } = swap;
  const time = visible(clockTime(at));
  const [order, word] = [visible(swap.order ?? ''), visible(statusWord(swap))];
  const seen = deposit.confirmations === null ? '' : `deposit confirmations ${deposit.confirmations}`;
  const paid = [
    `payout ${receive.txId ?? ''}`,
    receive.confirmations === null ? '' : `payout confirmations ${receive.confirmations}`,
  ];
  const meaning = before?.statusCode === swap.statusCode ? '' : statusMeaning(swap.statusCode ?? 0).meaning;
  const doubts = swap.doubts.length === 0 ? '' : `mismatch: ${swap.doubts.join(', ')}`;
  const facts = [doubts, meaning, ...(receive.txId === null ? [seen] : paid)].filter((text) => text !== '');
  const head = shown` ${style.dim(time)}  ${order}  ${statusColour(style, swap.status)(word)}`;
  const room = width - ` ${time}  ${order}  ${word}  `.length;
  const tail = visible(facts.join('  '));
  if (tail === '') return shown`${head}\n`;
  if (displayWidth(tail) <= room) return shown`${head}  ${tail}\n`;
  const indent = spaces(time.length + 3);
  const lines = facts.flatMap((fact) => wrapWords(visible(fact), width - indent.length));
  return shown`${head}\n${joined(lines.map((line) => shown`${indent}${line}\n`))}`;
}

/** Warning above a swap that does not match what was agreed. */
function doubtLines({ doubts, status }: LedgerSwap, style: Style, width: number): Visible {
  if (doubts.length === 0) return shown``;
  const advice = status === 'new' ? ' Do not send anything.' : '';
  return sentence(`Mismatch: ${doubts.join(', ')}.${advice} Ask the service.`, style.red, width);
}

/** The line above a swap: order, status and environment. */
export function swapHeading(swap: LedgerSwap, style: Style): Visible {
  const place = environmentMark(style, swap.environment);
  const word = statusColour(style, swap.status)(visible(statusWord(swap)));
  return shown` ${style.bold(visible(swap.order ?? 'no order number'))}  ${word}  ${style.dim(shown`·`)} ${place}\n`;
}

function swapLines(swap: LedgerSwap, style: Style, now: number): readonly DetailLine[] {
  const { deposit, receive } = swap;
  const link = linksOf(style, swap);
  const time = (text: string | null) => (text === null ? null : relativeTime(text, now));
  const code = swap.statusCode;
  return [
    ['Meaning', code === null ? null : statusMeaning(code).meaning, undefined, 'prose'],
    ['Rate type', rateName(swap.type)],
    ['Deposit', sideText(deposit), style.bold],
    ['  agreed', agreedText(deposit, swap.asked?.deposit), style.yellow],
    ['  address', deposit.address, link('address', deposit, style.cyan)],
    ['  memo', deposit.memo, style.cyan],
    ['  transaction', deposit.txId, link('transaction', deposit)],
    ['  confirmations', countText(deposit.confirmations)],
    ['  seen', time(deposit.receivedAt)],
    ['  fee', amountText(deposit.fee, deposit.coin)],
    ['Receive', sideText(receive), style.bold],
    ['  agreed', agreedText(receive, swap.asked?.receive), style.yellow],
    ['  address', receive.address, link('address', receive, style.cyan)],
    ['  memo', receive.memo, style.cyan],
    ['  paid', amountText(receive.paidAmount, receive.coin), style.green],
    ['  transaction', receive.txId, link('transaction', receive)],
    ['  confirmations', countText(receive.confirmations)],
    ['  seen', time(receive.receivedAt)],
    ['  fee', amountText(receive.fee, receive.coin)],
    ['Refund address', swap.refundAddress, link('address', deposit)],
    ['Risk score', swap.riskScore],
    ['Created', time(swap.createdAt ?? swap.startedAt)],
    ['Ended', time(swap.endedAt)],
    ['Duration', swap.duration],
    ['Labels', labelsText(swap.labels)],
    ['Profile', swap.profile],
  ];
}

/** The agreed amount of a side with its coin, if the current one differs; otherwise null. */
export function agreedText(side: CoinAmount, asked: string | null | undefined): string | null {
  return amountText(otherThanAsked(side, asked), side.coin);
}

function countText(count: number | null): string | null {
  return count === null ? null : String(count);
}

/** An amount with its coin, such as `1.5 BTC`; null if the amount is unknown. A coin that is unknown is left out. */
export function amountText(amount: string | null, coin: string | null): string | null {
  return amount === null ? null : `${amount} ${coin ?? ''}`;
}

/** `0.1 BTC`, with the network behind the coin where its name differs. */
export function sideText(side: CoinAmount): string {
  const coin = coinLabel({
    coin: side.coin ?? '?',
    network: side.network === side.coin ? null : side.network,
  });
  return `${side.amount ?? '?'} ${coin}`;
}

/** The agreed amount if its value differs from the current one; null if it does not, or if one of them is unknown. */
export function otherThanAsked({ amount }: CoinAmount, asked: string | null | undefined): string | null {
  if (asked === null || asked === undefined || amount === null) return null;
  return sameAmount(amount, asked) ? null : asked;
}

export type CoinAmount = Pick<SwapResult['deposit'], 'amount' | 'coin' | 'network'>;

/**
 * Several swaps, a row each; with ages where some were seen before `startedAt`. Times in milliseconds since 1970; `clocks`
 * has that of each swap's service. `everybody`: they are those of all profiles, so each row has its own.
 */
export function swapsView(
  swaps: readonly SeenSwap[],
  startedAt: number,
  now: number,
  clocks: readonly number[] = [],
  everybody = false,
): View {
  return tableView(
    swaps,
    (swap) => [...swapCells(swap), ...checkedCells(swap), swap.seenAt, swap.profile],
    (style): readonly ItemColumn<SeenSwap>[] => [
      { title: 'ORDER', paint: style.bold, cell: ({ order }) => order ?? '-' },
      { title: 'STATUS', paint: statusPaint(style), cell: doubtedStatus, short: shortStatus },
      { title: 'DEPOSIT', ...amountCells(({ deposit, asked }) => [deposit, asked?.deposit]) },
      { title: 'RECEIVE', ...amountCells(({ receive, asked }) => [receive, asked?.receive]) },
      ...checkedColumn(swaps, startedAt, now),
      ...profileColumn(swaps, everybody),
      {
        title: 'CREATED',
        wraps: true,
        cell: (swap, index) => relativeTime(swap.createdAt ?? swap.startedAt, clocks[index] ?? now),
        short: ({ createdAt, startedAt }, index) =>
          age(readTime(createdAt ?? startedAt), clocks[index] ?? now),
        optional: 2,
      },
    ],
  );
}

/** A column with the age of each observation; none if all were made since `startedAt`. */
export function checkedColumn(
  swaps: readonly SeenSwap[],
  startedAt: number,
  now: number,
): readonly ItemColumn<SeenSwap>[] {
  const isFresh = ({ seenAt }: SeenSwap) => (readTime(seenAt) ?? startedAt) >= startedAt;
  if (swaps.every(isFresh)) return [];
  return [{ title: 'CHECKED', align: 'right', cell: ({ seenAt }) => age(readTime(seenAt), now) }];
}

/**
 * A column with the profile of each swap, and which is a sandbox where some are live; none if all are of one, unless
 * those of `everybody` were asked for.
 */
export function profileColumn(
  swaps: readonly LedgerSwap[],
  everybody = false,
): readonly ItemColumn<LedgerSwap>[] {
  if (!everybody && new Set(swaps.map(({ profile }) => profile)).size <= 1) return [];
  const isMixed = new Set(swaps.map(({ environment }) => environment)).size > 1;
  const cell = ({ profile, environment }: LedgerSwap) =>
    isMixed && environment === 'sandbox' && profile !== 'sandbox' ? `${profile} (sandbox)` : profile;
  return [{ title: 'PROFILE', wraps: true, cell, optional: 1 }];
}

/** The status in a word, followed by `(mismatch)` if the swap has doubts. */
export function doubtedStatus(swap: LedgerSwap): string {
  return `${statusWord(swap)}${swap.doubts.length > 0 ? ' (mismatch)' : ''}`;
}

/** The status in a word, followed by `!` if the swap has doubts, for a narrow terminal. */
export function shortStatus(swap: LedgerSwap): string {
  return `${statusWord(swap)}${swap.doubts.length > 0 ? '!' : ''}`;
}

/** Cells of a column of amounts: with the agreed amount where it differs or, where space is short, only a mark. */
export function amountCells<T>(read: (swap: T) => readonly [CoinAmount, string | null | undefined]) {
  return { cell: (swap: T) => besideAsked(...read(swap)), shortest: (swap: T) => shortText(...read(swap)) };
}

/** An amount, marked if another one was agreed, for a narrow terminal. */
export function shortText(side: CoinAmount, asked: string | null | undefined): string {
  return `${sideText(side)}${otherThanAsked(side, asked) === null ? '' : ' !'}`;
}

/** An amount, followed by the agreed one if that is different. */
export function besideAsked(side: CoinAmount, asked: string | null | undefined): string {
  const other = otherThanAsked(side, asked);
  return other === null ? sideText(side) : `${sideText(side)} (${other} agreed)`;
}

export function swapCells(swap: LedgerSwap): (string | null)[] {
  return [...readCells(swap), swap.createdAt ?? swap.startedAt];
}

/** The paths of both sides' values, such as `deposit.amount`, that most rows have. */
export const SIDE_CELLS = ['deposit', 'receive'].flatMap((side) =>
  ['amount', 'coin', 'network', 'address', 'memo'].map((key) => `${side}.${key}`),
);

const readCells = cellReader(['order', 'status', 'statusCode', 'type', ...SIDE_CELLS]);

/** Cells of a swap's checks: both agreed amounts, null if unknown; fundable, `yes` or `no`; and the doubts' codes. */
export function checkedCells({ asked, fundable, doubts }: LedgerSwap): (string | null)[] {
  return [asked?.deposit ?? null, asked?.receive ?? null, fundable ? 'yes' : 'no', doubts.join(',')];
}

import type { SeenSwap, SwapResult } from '../ledger/swap-result.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { renderTable } from '../terminal/table.ts';
import type { Visible } from '../text.ts';
import { readTime, relativeTime } from '../time.ts';
import { age, statusColour, statusWord } from './status.ts';
import { type CoinAmount, otherThanAsked, sideText } from './swap.ts';

/**
 * Several swaps, a row each; with ages where some were seen before `startedAt`. Times in milliseconds since 1970; `clocks`
 * has that of each swap's service.
 */
export function swapsView(
  swaps: readonly SeenSwap[],
  startedAt: number,
  now: number,
  clocks: readonly number[] = [],
): View {
  return {
    json: () => swaps,
    rows: () => swaps.map((swap) => [...swapCells(swap), ...judgedCells(swap), swap.seenAt]),
    screen: async (style, width) => {
      if (swaps.length === 0) return '';
      const checked = checkedColumn(swaps, startedAt, now);
      const [columns, created] = [columnsFor(style, 'STATUS', 'CREATED'), -1];
      const rows = swaps.map((swap, index) => [
        swap.order ?? '-',
        doubtedStatus(swap),
        besideAsked(swap.deposit, swap.asked?.deposit),
        besideAsked(swap.receive, swap.asked?.receive),
        ...checked.map(({ cells }) => cells[index] ?? ''),
        relativeTime(swap.createdAt ?? swap.startedAt, clocks[index] ?? now),
      ]);
      return renderTable(
        [...columns.slice(0, created), ...checked, ...columns.slice(created)],
        rows,
        style,
        width,
      );
    },
  };
}

/** A column with the age of each observation; none where all were made since `startedAt`. */
export function checkedColumn(
  swaps: readonly SeenSwap[],
  startedAt: number,
  now: number,
): readonly { readonly title: string; readonly align: 'right'; readonly cells: readonly string[] }[] {
  const times = swaps.map(({ seenAt }) => readTime(seenAt));
  if (times.every((time) => time === null || time >= startedAt)) return [];
  return [{ title: 'CHECKED', align: 'right', cells: times.map((time) => age(time, now)) }];
}

/** The columns of every table of swaps, with the titles of two of them. */
export function columnsFor(style: Style, status: string, time: string) {
  return [
    { title: 'ORDER', paint: style.bold },
    {
      title: status,
      paint: (text: Visible) => statusColour(style, text.trim().replace(/[!?].*$|\s.*$/, ''))(text),
    },
    { title: 'DEPOSIT' },
    { title: 'RECEIVE' },
    { title: time, wraps: true },
  ];
}

/** The status in words, and whether it is in doubt. */
export function doubtedStatus(swap: SwapResult): string {
  return `${statusWord(swap)}${swap.doubts.length > 0 ? ' (in doubt)' : ''}`;
}

/** An amount with the agreed one beside it, where that is another. */
export function besideAsked(side: CoinAmount, asked: string | null | undefined): string {
  const other = otherThanAsked(side, asked);
  return other === null ? sideText(side) : `${sideText(side)} (${other} agreed)`;
}

/** Cells of a swap for a pipe. */
export function swapCells(swap: SwapResult): (string | number | null)[] {
  const { deposit, receive } = swap;
  return [
    swap.order,
    swap.status,
    swap.statusCode,
    swap.type,
    deposit.amount,
    deposit.coin,
    deposit.network,
    deposit.address,
    deposit.memo,
    receive.amount,
    receive.coin,
    receive.network,
    receive.address,
    receive.memo,
    swap.createdAt ?? swap.startedAt,
  ];
}

/** Agreed amounts, whether the swap is fundable, and its doubts. */
export function judgedCells({ asked, fundable, doubts }: SwapResult): (string | null)[] {
  return [asked?.deposit ?? null, asked?.receive ?? null, fundable ? 'yes' : 'no', doubts.join(',')];
}

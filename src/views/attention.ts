import { shellQuote } from '../files.ts';
import type { SeenSwap, SwapResult } from '../ledger/swap-result.ts';
import type { View } from '../terminal/streams.ts';
import type { Visible } from '../text.ts';
import { spanWords } from '../time.ts';
import { personNeeded, URGENT_WINDOW_MS, windowLeft } from './live/urgency.ts';
import { statusColour, statusWord } from './status.ts';
import { sideText } from './swap.ts';
import { checkedColumn } from './swaps.ts';

/** A swap, or a create of unknown outcome, that needs a person. */
export type AttentionResult = SeenSwap & {
  /** Id of its entry in the ledger; null for an order that is not there. */
  readonly id: string | null;
  /** What a person has to do, as a sentence. */
  readonly attention: string;
};

/**
 * What a person has to do about a swap, as a sentence; null where it needs none just now. No one is told to pay by an old
 * observation: that is not fundable.
 */
export function attentionWords(swap: SwapResult, now: number): string | null {
  const left = windowLeft(swap, now);
  const isShort = left !== null && left > 0 && left <= URGENT_WINDOW_MS && swap.deposit.txId === null;
  if (!isShort) return personNeeded(swap);
  const advice = swap.fundable
    ? 'pay now, or not at all.'
    : `check it before you pay: swapctl status ${shellQuote(swap.order ?? '')}`;
  return personNeeded(swap) ?? `Its window ends in ${spanWords(left)}: ${advice}`;
}

/** What a person has to do about a create whose outcome is not known. */
export function unknownWords(id: string): string {
  return `Its outcome is unknown: ask the service whether it made an order, then swapctl history resolve ${id}`;
}

/** All that needs a person, a row each; with ages where some were seen before `startedAt`. */
export function attentionView(results: readonly AttentionResult[], startedAt: number, now: number): View {
  return {
    json: () => results,
    rows: () =>
      results.map(({ order, status, statusCode, profile, id, doubts, attention, seenAt }) => [
        ...[order, status, statusCode, profile, id, doubts.join(','), attention, seenAt],
      ]),
    screen: async (style, width) => {
      if (results.length === 0) return '';
      const { renderTable } = await import('../terminal/table.ts');
      const colour = (text: Visible) => statusColour(style, text.trim().replace(/\s.*$/, ''))(text);
      const several = new Set(results.map(({ profile }) => profile)).size > 1;
      const checked = checkedColumn(results, startedAt, now);
      const rows = results.map((result, index) => [
        ...[result.order ?? '-', statusWord(result)],
        ...[sideText(result.deposit), sideText(result.receive)],
        ...checked.map(({ cells }) => cells[index] ?? ''),
        ...(several ? [result.profile] : []),
        result.attention,
      ]);
      const columns = [
        ...[
          { title: 'ORDER', paint: style.bold },
          { title: 'STATUS', paint: colour },
        ],
        ...[{ title: 'DEPOSIT' }, { title: 'RECEIVE' }],
        ...checked,
        ...(several ? [{ title: 'PROFILE', wraps: true }] : []),
        { title: 'WHAT TO DO', wraps: true },
      ];
      return renderTable(columns, rows, style, width);
    },
  };
}

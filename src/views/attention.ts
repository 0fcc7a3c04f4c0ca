import type { SwapResult } from '../ledger/swap-result.ts';
import type { View } from '../terminal/streams.ts';
import { spanWords } from '../terminal/time.ts';
import type { Visible } from '../text.ts';
import { personNeeded, URGENT_WINDOW_MS, windowLeft } from './live/urgency.ts';
import { statusColour, statusWord } from './status.ts';
import { sideText } from './swap.ts';

/** A swap, or a create of unknown outcome, that needs a person. */
export type AttentionResult = SwapResult & {
  /** Id of its entry in the ledger; null for an order that is not there. */
  readonly id: string | null;
  /** What a person has to do, as a sentence. */
  readonly attention: string;
};

/** What a person has to do about a swap, as a sentence; null where it needs nobody just now. */
export function attentionWords(swap: SwapResult, now: number): string | null {
  const left = windowLeft(swap, now);
  const isShort = left !== null && left > 0 && left <= URGENT_WINDOW_MS && swap.deposit.txId === null;
  return (
    personNeeded(swap) ?? (isShort ? `Its window ends in ${spanWords(left)}: pay now, or not at all.` : null)
  );
}

/** What a person has to do about a create whose outcome is not known. */
export function unknownWords(id: string): string {
  return `Its outcome is unknown: ask the service whether it made an order, then swapctl history resolve ${id}`;
}

/** All that needs a person, a row each. */
export function attentionView(results: readonly AttentionResult[]): View {
  return {
    json: () => results,
    rows: () =>
      results.map(({ order, status, statusCode, profile, id, doubts, attention }) => [
        ...[order, status, statusCode, profile, id, doubts.join(','), attention],
      ]),
    screen: async (style, width) => {
      if (results.length === 0) return '';
      const { renderTable } = await import('../terminal/table.ts');
      const colour = (text: Visible) => statusColour(style, text.trim().replace(/\s.*$/, ''))(text);
      const several = new Set(results.map(({ profile }) => profile)).size > 1;
      const rows = results.map((result) => [
        ...[result.order ?? '-', statusWord(result)],
        ...[sideText(result.deposit), sideText(result.receive)],
        ...(several ? [result.profile] : []),
        result.attention,
      ]);
      const columns = [
        ...[
          { title: 'ORDER', paint: style.bold },
          { title: 'STATUS', paint: colour },
        ],
        ...[{ title: 'DEPOSIT' }, { title: 'RECEIVE' }],
        ...(several ? [{ title: 'PROFILE', wraps: true }] : []),
        { title: 'WHAT TO DO', wraps: true },
      ];
      return renderTable(columns, rows, style, width);
    },
  };
}

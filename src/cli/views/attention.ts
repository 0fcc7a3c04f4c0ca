import { shellQuote } from '../../base/files.ts';
import { spanWords } from '../../base/time.ts';
import type { SeenSwap, SwapResult } from '../../core/ledger/swap-result.ts';
import { type AttentionReason, attentionOf, needOf, windowLeft } from '../../core/swap/attention.ts';
import type { View } from '../terminal/streams.ts';
import { tableView } from './columns.ts';
import { statusPaint, statusWord } from './status.ts';
import { checkedColumn, profileColumn, sideText } from './swap.ts';

/** A swap, or a create of unknown outcome, that needs attention. */
export type AttentionResult = SeenSwap & {
  /** Id of its entry in the ledger; null for an order that is not recorded there. */
  readonly id: string | null;
  /** What a person has to do, as a sentence. */
  readonly attention: string;
};

/** What a person has to do about a swap, as a sentence; null if it continues without action, or is over. */
export function personNeeded(swap: SwapResult): string | null {
  const need = needOf(swap);
  return need === null ? null : ACTIONS[need](swap);
}

const ACTIONS: Readonly<Record<AttentionReason, (swap: SwapResult) => string>> = {
  doubt: ({ status, doubts }) => {
    const advice = status === 'new' ? 'do not pay, ask the service' : 'ask the service';
    return `Mismatch (${doubts.join(', ')}): ${advice}.`;
  },
  pause: () => 'On hold: ask the service about this order.',
  frozen: () => 'Frozen: ask the service about this order.',
  'refund-without-address': ({ order }) =>
    `No refund address is recorded here: swapctl refund ${shellQuote(order ?? '')}`,
  'late-deposit': () => 'The deposit arrived too late: ask the service.',
  'failed-without-address': ({ order }) =>
    `Failed without a refund address: swapctl refund ${shellQuote(order ?? '')}`,
  failed: () => 'Failed: ask the service for the refund.',
};

/**
 * What a person has to do about a swap now, a deposit window that is about to end included; null for nothing. A swap that
 * was seen too long ago is not fundable, so it is checked before it is paid.
 */
export function attentionWords(swap: SwapResult, now: number): string | null {
  if (attentionOf(swap, now) !== 'window-ends') return personNeeded(swap);
  const advice = swap.fundable
    ? 'pay now, or not at all.'
    : `check it before you pay: swapctl status ${shellQuote(swap.order ?? '')}`;
  return `Its window ends in ${spanWords(windowLeft(swap, now) ?? 0)}: ${advice}`;
}

/** What a person has to do about a create with an unknown outcome. */
export function unknownOutcomeText(id: string): string {
  return `Unknown outcome: ask the service whether it created an order, then run swapctl history resolve ${id}`;
}

/** Everything that needs attention, a row each; with ages if some were seen before `startedAt`. */
export function attentionView(results: readonly AttentionResult[], startedAt: number, now: number): View {
  return tableView(
    results,
    (result) => {
      const { order, status, statusCode, profile, id, doubts, attention, seenAt } = result;
      return [order, status, statusCode, profile, id, doubts.join(','), attention, seenAt];
    },
    (style) => [
      { title: 'ORDER', paint: style.bold, cell: ({ order }) => order ?? '-' },
      { title: 'STATUS', paint: statusPaint(style), cell: statusWord },
      { title: 'DEPOSIT', cell: ({ deposit }) => sideText(deposit) },
      { title: 'RECEIVE', cell: ({ receive }) => sideText(receive) },
      ...checkedColumn(results, startedAt, now),
      ...profileColumn(results),
      { title: 'ACTION', wraps: true, cell: ({ attention }) => attention },
    ],
  );
}

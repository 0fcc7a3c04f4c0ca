import { describe, expect, it } from 'vitest';
import { isUntouched } from '../../../src/core/swap/agreement/fundable.ts';
import {
  attentionOf,
  isDepositSeen,
  mostUrgent,
  needOf,
  RANK_OVER,
  RANK_UNSEEN,
  urgencyRank,
  windowLeft,
  windowSortValue,
} from '../../../src/core/swap/attention.ts';
import type { SwapSide } from '../../../src/core/swap/swap.ts';
import { swapIn } from '../../cli/views/live/swaps.ts';

const inTime = (milliseconds: number) => new Date(NOW + milliseconds).toISOString();
const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const TIME = '2026-01-31T11:59:00.000Z';
const MINUTE = 60_000;

/** Each fact by which a service can say that it has seen a deposit, alone. */
const EVIDENCE: readonly Partial<SwapSide>[] = [
  { txId: 'f00d' },
  { receivedAt: TIME },
  { confirmedAt: TIME },
  { confirmations: 1 },
];

describe('a deposit', () => {
  it.each(EVIDENCE)('counts as seen with only %o, and is not asked for again', (deposit) => {
    const swap = swapIn('new', { deposit, expiresAt: inTime(MINUTE) });
    expect(isDepositSeen(swap)).toBe(true);
    expect(isUntouched(swap)).toBe(false);
    expect(windowLeft(swap, NOW)).toBeNull();
    expect(attentionOf(swap, NOW)).toBeNull();
    expect(needOf({ ...swap, status: 'overdue' })).toBe('late-deposit');
    expect(needOf({ ...swap, status: 'error', refundAddress: null })).toBe('failed-without-address');
  });

  it.each(['confirmation', 'exchanging', 'success', 'refund'])('counts as seen in status %s', (status) => {
    expect(isDepositSeen(swapIn(status))).toBe(true);
  });

  it('counts as not seen while confirmations are null or 0', () => {
    for (const status of ['new', 'overdue', 'error', 'pause', 'frozen', 'unknown'])
      for (const confirmations of [null, 0])
        expect(isDepositSeen(swapIn(status, { deposit: { confirmations } }))).toBe(false);
    const swap = swapIn('new', { deposit: { confirmations: 0 }, expiresAt: inTime(MINUTE) });
    expect(windowLeft(swap, NOW)).toBe(MINUTE);
    expect(isUntouched(swap)).toBe(true);
    expect(needOf(swapIn('overdue'))).toBeNull();
  });
});

describe('a swap', () => {
  it('needs attention in status pause or frozen', () => {
    expect([needOf(swapIn('pause')), needOf(swapIn('frozen'))]).toEqual(['pause', 'frozen']);
  });

  it('needs attention if it failed, was refunded to an unknown address, or is in doubt', () => {
    const failed = swapIn('error', { deposit: { txId: 'f00d' }, refundAddress: 'a' });
    expect([needOf(failed), needOf({ ...failed, refundAddress: null })]).toEqual([
      'failed',
      'failed-without-address',
    ]);
    const refund = swapIn('refund', { refundAddress: 'a' });
    expect([needOf(refund), needOf({ ...refund, refundAddress: null })]).toEqual([
      null,
      'refund-without-address',
    ]);
    expect(needOf({ ...refund, doubts: ['went_backwards'] })).toBe('doubt');
  });

  it('ranks by urgency: attention, ending window, in progress, waiting, ended', () => {
    const ranked = ['frozen', 'exchanging', 'confirmation', 'unknown', 'new', 'success'].map((status) =>
      urgencyRank(swapIn(status, { final: status === 'success' }), NOW),
    );
    expect(ranked).toEqual([0, 2, 3, 4, 5, RANK_OVER]);
    expect(urgencyRank(swapIn('new', { expiresAt: inTime(MINUTE) }), NOW)).toBe(1);
    expect(urgencyRank(swapIn('waiting'), NOW)).toBe(2);
    expect([RANK_UNSEEN > 5, RANK_UNSEEN < RANK_OVER]).toEqual([true, true]);
  });

  it('has a deposit window only while it waits for its deposit', () => {
    const expiresAt = inTime(MINUTE);
    expect(windowLeft(swapIn('overdue', { expiresAt }), NOW)).toBeNull();
    expect(windowSortValue(swapIn('new', { expiresAt }), NOW)).toBe(MINUTE);
    expect(windowSortValue(swapIn('new'), NOW)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    [5 * MINUTE + 1, null],
    [5 * MINUTE, 'window-ends'],
    [1, 'window-ends'],
    [0, null],
  ])('with %i ms left to deposit needs attention: %s', (left, expected) => {
    expect(attentionOf(swapIn('new', { expiresAt: inTime(left) }), NOW)).toBe(expected);
  });

  it('is most urgent if it needs attention, then if its window ends soon', () => {
    const ending = (minutes: number) =>
      swapIn('new', { order: `M${minutes}`, expiresAt: inTime(minutes * MINUTE) });
    const swaps = [
      swapIn('success', { order: 'OVER' }),
      ending(30),
      ending(4),
      swapIn('exchanging', { order: 'MOVES' }),
      ending(2),
      swapIn('frozen', { order: 'FROZEN' }),
    ];
    expect(mostUrgent(swaps, NOW).map(({ order }) => order)).toEqual(['FROZEN', 'M2', 'M4']);
  });
});

import { describe, expect, it } from 'vitest';
import { isUntouched } from '../../src/swap/agreement/fundable.ts';
import { attentionOf, isDepositSeen, mostUrgent, needOf, windowLeft } from '../../src/swap/need.ts';
import type { SwapSide } from '../../src/swap/swap.ts';
import { swapIn } from '../views/live/swaps.ts';

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
  it.each(EVIDENCE)('is seen by %o alone, and then nothing more is to be paid', (deposit) => {
    const swap = swapIn('new', { deposit, expiresAt: new Date(NOW + MINUTE).toISOString() });
    expect(isDepositSeen(swap)).toBe(true);
    expect(isUntouched(swap)).toBe(false);
    expect(windowLeft(swap, NOW)).toBeNull();
    expect(attentionOf(swap, NOW)).toBeNull();
    expect(needOf({ ...swap, status: 'overdue' })).toBe('late-deposit');
    expect(needOf({ ...swap, status: 'error', refundAddress: null })).toBe('failed-without-address');
  });

  it.each(['confirmation', 'exchanging', 'success', 'refund'])('is seen by the status %s', (status) => {
    expect(isDepositSeen(swapIn(status))).toBe(true);
  });

  it('is not seen without evidence; no confirmations yet is none', () => {
    for (const status of ['new', 'overdue', 'error', 'pause', 'frozen', 'unknown'])
      for (const confirmations of [null, 0])
        expect(isDepositSeen(swapIn(status, { deposit: { confirmations } }))).toBe(false);
    const swap = swapIn('new', {
      deposit: { confirmations: 0 },
      expiresAt: new Date(NOW + MINUTE).toISOString(),
    });
    expect(windowLeft(swap, NOW)).toBe(MINUTE);
    expect(isUntouched(swap)).toBe(true);
    expect(needOf(swapIn('overdue'))).toBeNull();
  });
});

describe('a swap that needs attention', () => {
  it('is one in whose status the service waits for somebody', () => {
    expect([needOf(swapIn('pause')), needOf(swapIn('frozen'))]).toEqual(['pause', 'frozen']);
  });

  it.each([
    [5 * MINUTE + 1, null],
    [5 * MINUTE, 'window-ends'],
    [1, 'window-ends'],
    [0, null],
  ])('is one whose window ends in %i ms: %s', (left, expected) => {
    expect(attentionOf(swapIn('new', { expiresAt: new Date(NOW + left).toISOString() }), NOW)).toBe(expected);
  });

  it('comes before a window that ends soon, and that before another that ends later', () => {
    const ending = (minutes: number) =>
      swapIn('new', { order: `M${minutes}`, expiresAt: new Date(NOW + minutes * MINUTE).toISOString() });
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

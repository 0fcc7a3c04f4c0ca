import { describe, expect, it } from 'vitest';
import { inSeconds, linesAt, NOW, swapIn, watched } from './swaps.ts';

const SEEN = { txId: 'ab'.repeat(32), receivedAt: '2026-01-31T11:59:00.000Z', confirmations: 2 };
const PAYOUT = 'cd'.repeat(32);

describe('the live view of one swap', () => {
  it.each([60, 80, 200])('shows what to send and the remaining window in %i columns', (width) => {
    const swap = swapIn('new', { expiresAt: inSeconds(3905), deposit: { memo: '271828' } });
    expect(linesAt(width, [watched(swap, 3)])).toEqual([
      ' KQWZPA  BTC → USDT  floating rate  · sandbox',
      ' ● new → ○ confirmation → ○ exchanging → ○ success',
      ' Send     0.1 BTC',
      '   to     tb1qexample',
      '   memo   271828',
      ' Window   1:05:05 left',
      ' Receive  9480.965 USDT:TRX',
      ' Checked  3 s ago',
    ]);
  });

  it('counts confirmations, out of the required number if known', () => {
    const swap = swapIn('confirmation', { deposit: SEEN });
    expect(linesAt(60, [watched(swap, 0, 6)])).toEqual([
      ' KQWZPA  BTC → USDT  floating rate  · sandbox',
      ' ✓ new → ● confirmation 2/6 → ○ exchanging → ○ success',
      ' Send     0.1 BTC',
      ' Receive  9480.965 USDT:TRX',
      ' Checked  just now',
    ]);
    expect(linesAt(60, [watched(swap)])[1]).toBe(' ✓ new → ● confirmation 2 → ○ exchanging → ○ success');
  });

  it('shows the whole payout transaction, on its own line if necessary', () => {
    const receive = { txId: PAYOUT, paidAmount: '9480.9' };
    const paid = [watched(swapIn('success', { deposit: SEEN, receive, duration: '00:12:00' }), 7200)];
    expect(linesAt(80, paid)).toEqual([
      ' KQWZPA  BTC → USDT  floating rate  · sandbox',
      ' ✓ new → ✓ confirmation → ✓ exchanging → ✓ success',
      ' Send     0.1 BTC',
      ' Receive  9480.965 USDT:TRX',
      '   paid   9480.9 USDT',
      ` Payout   ${PAYOUT}`,
      ' Took     00:12:00',
      ' Checked  2 h ago',
    ]);
    expect(linesAt(60, paid).slice(5, 7)).toEqual([' Payout', PAYOUT]);
  });

  it.each([
    ['frozen', SEEN, ' ✓ new → ✓ confirmation → ! frozen', ' Frozen: ask the service about this order.'],
    ['pause', {}, ' ✓ new → ! pause', ' On hold: ask the service about this order.'],
    [
      'error',
      SEEN,
      ' ✓ new → ✓ confirmation → ✗ error',
      ' Failed without a refund address: swapctl refund KQWZPA',
    ],
    ['overdue', {}, ' ✓ new → ✗ overdue', ' Send     0.1 BTC'],
  ])('shows the steps and the next action in %s', (status, deposit, steps, next) => {
    const lines = linesAt(60, [watched(swapIn(status, { deposit }))]);
    expect(lines.slice(1, 3)).toEqual([steps, next]);
  });

  it('stacks the steps if they do not fit in one line', () => {
    expect(linesAt(40, [watched(swapIn('exchanging', { deposit: SEEN }))]).slice(1, 5)).toEqual([
      ' ✓ new',
      ' ✓ confirmation',
      ' ● exchanging',
      ' ○ success',
    ]);
  });

  it('shows that the window has ended and hides the address', () => {
    const lines = linesAt(60, [watched(swapIn('new', { expiresAt: inSeconds(-1), fundable: false }))]);
    expect(lines).toContain(' Window   time is up');
    expect(lines.join('\n')).not.toContain('tb1q');
  });

  it('shows a failed poll before the first successful one', () => {
    const missed = { at: NOW, words: '127.0.0.1:4010 is not reached (ECONNREFUSED).' };
    const blank = { order: 'KQWZPA', swap: null, seenAt: null, gone: null, confirmationsNeeded: null };
    const clock = new Date(NOW).toTimeString().slice(0, 8);
    expect(linesAt(60, [blank], { missed })).toEqual([
      ' KQWZPA  not checked yet',
      ` ${clock}  127.0.0.1:4010 is not reached (ECONNREFUSED).`,
    ]);
  });
});

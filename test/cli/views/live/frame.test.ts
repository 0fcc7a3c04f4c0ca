import { describe, expect, it } from 'vitest';
import type { WatchedSwap } from '../../../../src/cli/views/live/frame.ts';
import { inSeconds, linesAt, NOW, type Said, swapIn, watched } from './swaps.ts';

const SEEN = { txId: 'ab'.repeat(32), receivedAt: '2026-01-31T11:59:00.000Z', confirmations: 2 };

const swap = (order: string, status: string, printed: Said = {}, secondsAgo = 0) =>
  watched(swapIn(status, { order, ...printed }), secondsAgo, status === 'confirmation' ? 6 : null);

/** One of each kind, the least urgent first. */
const MANY: readonly WatchedSwap[] = [
  swap('FFFFFF', 'success', { deposit: SEEN }, 300),
  swap('AAAAAA', 'new', { expiresAt: inSeconds(1500) }, 3),
  swap('CCCCCC', 'confirmation', { deposit: SEEN }, 12),
  swap('BBBBBB', 'exchanging', {
    deposit: { ...SEEN, coin: 'ETH', network: 'ETH', amount: '1.123456789012345678' },
  }),
  swap('EEEEEE', 'new', { expiresAt: inSeconds(125) }, 5),
  swap('DDDDDD', 'frozen', { deposit: SEEN }, 61),
];

const MISSED = { at: NOW - 4000, words: 'Down for maintenance.' };

/** The clock time of {@link MISSED} where the test runs. */
const CLOCK = new Date(MISSED.at).toTimeString().slice(0, 8);

/** The lines of {@link MANY} where the amounts are beside the swap. */
const OPEN = ' 5 open, 1 ended, 2 need attention  · sandbox';
const HEAD = ' ORDER   STATUS            SEND                      RECEIVE            CHECKED';
const FROZEN = ' DDDDDD  frozen            0.1 BTC                   9480.965 USDT:TRX    1 min';
const ACTION = '   Frozen: ask the service about this order.';
const OTHERS = [
  ' EEEEEE  new 2:05 left     0.1 BTC                   9480.965 USDT:TRX      5 s',
  ' BBBBBB  exchanging        1.123456789012345678 ETH  9480.965 USDT:TRX      now',
  ' CCCCCC  confirmation 2/6  0.1 BTC                   9480.965 USDT:TRX     12 s',
  ' AAAAAA  new 25:00 left    0.1 BTC                   9480.965 USDT:TRX      3 s',
  ' FFFFFF  success           0.1 BTC                   9480.965 USDT:TRX    5 min',
];
const REPORT = ` ${CLOCK}  Down for maintenance. Retrying.`;

describe('the live table of watched swaps', () => {
  it("counts the remaining window by the clock of the swap's service", () => {
    const late = swap('GGGGGG', 'new', { expiresAt: inSeconds(3725) });
    const lines = linesAt(80, [
      swap('AAAAAA', 'new', { expiresAt: inSeconds(200) }),
      { ...late, clockAhead: 3_600_000 },
    ]);
    expect(lines.filter((line) => line.includes(' left '))).toEqual([
      expect.stringMatching(/^ GGGGGG {2}new 2:05 left /),
      expect.stringMatching(/^ AAAAAA {2}new 3:20 left /),
    ]);
    const [alone] = linesAt(80, [{ ...late, clockAhead: 3_600_000 }]).filter((line) =>
      line.includes('Window'),
    );
    expect(alone).toMatch(/2:05 left/);
  });

  it('sorts the most urgent swap first, in 80 columns', () => {
    expect(linesAt(80, MANY, { missed: MISSED })).toEqual([OPEN, HEAD, FROZEN, ACTION, ...OTHERS, REPORT]);
  });

  it('shows the next action next to the swap in 200 columns', () => {
    expect(linesAt(200, MANY)).toEqual([OPEN, HEAD, `${FROZEN}  ${ACTION.trim()}`, ...OTHERS]);
  });

  it('shows the amounts below the swap in 60 columns', () => {
    expect(linesAt(60, MANY)).toEqual([
      ' 5 open, 1 ended, 2 need attention  · sandbox',
      ' DDDDDD  frozen  checked 1 min ago',
      '   0.1 BTC → 9480.965 USDT:TRX',
      '   Frozen: ask the service about this order.',
      ' EEEEEE  new 2:05 left  checked 5 s ago',
      '   0.1 BTC → 9480.965 USDT:TRX',
      ' BBBBBB  exchanging  checked just now',
      '   1.123456789012345678 ETH → 9480.965 USDT:TRX',
      ' CCCCCC  confirmation 2/6  checked 12 s ago',
      '   0.1 BTC → 9480.965 USDT:TRX',
      ' AAAAAA  new 25:00 left  checked 3 s ago',
      '   0.1 BTC → 9480.965 USDT:TRX',
      ' FFFFFF  success  checked 5 min ago',
      '   0.1 BTC → 9480.965 USDT:TRX',
    ]);
  });

  it('breaks lines only between amounts in 40 columns', () => {
    expect(linesAt(40, MANY.slice(2, 4)).slice(1, 4)).toEqual([
      ' BBBBBB  exchanging  checked just now',
      '   1.123456789012345678 ETH',
      '   → 9480.965 USDT:TRX',
    ]);
  });

  it('fits the height and counts the hidden swaps by status', () => {
    const hidden = ' and 3 more: 1 confirmation, 1 new, 1 success';
    expect(linesAt(80, MANY, { missed: MISSED, height: 8 })).toEqual([
      OPEN,
      HEAD,
      FROZEN,
      ACTION,
      ...OTHERS.slice(0, 2),
      hidden,
      REPORT,
    ]);
  });

  it.each([1, 2, 3, 5, 9, 14, 40])('never uses more than %i lines', (height) => {
    const crowd = Array.from({ length: 300 }, (_, index) =>
      swap(`ORDER${index}`, index % 2 ? 'new' : 'pause'),
    );
    for (const width of [20, 60, 80, 200]) {
      const lines = linesAt(width, crowd, { missed: MISSED, height });
      expect(lines.length).toBeLessThanOrEqual(height);
    }
    const [last = ''] = linesAt(80, crowd, { height: 9 }).slice(-1);
    expect(last).toMatch(/^ and \d+ more: \d+ pause, 150 new$/);
  });

  it('shows swaps that are not polled yet or no longer watched', () => {
    const blank = { order: 'HHHHHH', swap: null, seenAt: null, gone: null, confirmationsNeeded: null };
    expect(linesAt(80, [blank, { ...blank, order: 'IIIIII', gone: 'Not found.' }])).toEqual([
      ' 1 open, 1 ended',
      ' ORDER   STATUS           SEND  RECEIVE  CHECKED',
      ' HHHHHH  not checked yet                       -',
      ' IIIIII  not watched                           -  Not found.',
    ]);
  });

  it('shows a profile column for several profiles, and LIVE if all are live', () => {
    const live = { profile: 'prod', environment: 'live' } as const;
    expect(linesAt(80, [swap('AAAAAA', 'new'), swap('BBBBBB', 'new', live)])).toEqual([
      ' 2 open',
      ' ORDER   STATUS  SEND     RECEIVE            PROFILE  CHECKED',
      ' AAAAAA  new     0.1 BTC  9480.965 USDT:TRX  sandbox      now',
      ' BBBBBB  new     0.1 BTC  9480.965 USDT:TRX  prod         now',
    ]);
    expect(linesAt(80, [swap('AAAAAA', 'new', live), swap('BBBBBB', 'new', live)])[0]).toBe(
      ' 2 open  · LIVE',
    );
  });

  it('escapes hidden characters of the service', () => {
    const evil = swap('A\u001b[2J', 'new', { deposit: { coin: 'B\u202eTC' } });
    expect(linesAt(80, [evil, swap('BBBBBB', 'new')])[2]).toContain('A<U+001B>[2J');
    expect(linesAt(80, [evil, swap('BBBBBB', 'new')])[2]).toContain('0.1 B<U+202E>TC');
  });
});

it.each([
  ['pause', {}, 'On hold: ask the service about this order.'],
  ['frozen', {}, 'Frozen: ask the service about this order.'],
  ['new', { doubts: ['amount_changed'] }, 'Mismatch (amount_changed): do not pay, ask the service.'],
  ['success', { doubts: ['payout_changed'] }, 'Mismatch (payout_changed): ask the service.'],
  ['overdue', { deposit: SEEN }, 'The deposit arrived too late: ask the service.'],
  ['error', { deposit: SEEN, refundAddress: 'tb1q' }, 'Failed: ask the service for the refund.'],
  ['error', { deposit: SEEN }, 'Failed without a refund address: swapctl refund AAAAAA'],
  ['refund', {}, 'No refund address is recorded here: swapctl refund AAAAAA'],
] as const)('a watched swap %s %j needs attention and has its action in a line', (status, printed, words) => {
  const lines = linesAt(80, [swap('BBBBBB', 'exchanging'), swap('AAAAAA', status, printed)]);
  expect(lines[0]).toContain('1 needs attention');
  expect(lines[2]).toMatch(/^ AAAAAA {2}/);
  expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
});

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

import { describe, expect, test } from 'vitest';
import { localTime } from '../../../src/base/time.ts';
import { coinsView, networksView } from '../../../src/cli/commands/coins/coins.ts';
import { eventLineView } from '../../../src/cli/commands/listen/events-view.ts';
import { diffView, loadedView } from '../../../src/cli/commands/sandbox/snapshots.ts';
import { clockView, infoView } from '../../../src/cli/commands/sandbox/views/sandbox.ts';
import { renderHelpText } from '../../../src/cli/terminal/help-text.ts';
import { createStyle, PLAIN } from '../../../src/cli/terminal/style.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { topicView } from '../../../src/cli/views/help-topics.ts';
import { historyView } from '../../../src/cli/views/history.ts';
import { comparisonView, type QuoteResult, quoteView } from '../../../src/cli/views/quote.ts';
import { swapLine, swapsView, swapView } from '../../../src/cli/views/swap.ts';
import type { HistoryResult } from '../../../src/core/ledger/swap-result.ts';
import { NOW, swapIn } from './live/swaps.ts';

const QUOTE: QuoteResult = {
  pair: 'BTC_USDT',
  type: 'float',
  lastSource: 'deposit',
  from: { coin: 'BTC', network: null },
  to: { coin: 'USDT', network: 'TRX' },
  amount: '0.1',
  receive: '9480.965',
  rate: '94827.6517067630296',
  min: '0.00011',
  max: '2.6',
  fee: null,
  impact: null,
  at: '2026-01-31T12:00:00.000Z',
  profile: 'sandbox',
  environment: 'sandbox',
};

const SWAP = swapIn('exchanging', {
  type: 'fixed',
  riskScore: '4',
  deposit: {
    amount: '0.10',
    confirmations: 2,
    fee: '0',
    address: 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h',
    txId: 'ab'.repeat(32),
    receivedAt: '2026-01-31T11:58:00.000Z',
  },
  receive: { address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' },
  createdAt: '2026-01-31T11:00:00.000Z',
});

describe('an event of listen', () => {
  const event = {
    id: 'evt_0123456789abcdef01234567',
    type: 'swap.exchanging',
    at: SWAP.createdAt ?? '',
    sequence: 3,
    order: 'KQWZPA',
    profile: 'sandbox',
    environment: SWAP.environment,
    data: { swap: SWAP },
    previous: { status: 'confirmation', statusCode: 1 },
  } as const;

  test.each([
    [120, ['swap.exchanging  was confirmation  0.10 BTC → 9480.965 USDT:TRX  evt_0123456789abcdef01234567']],
    [90, ['swap.exchanging  was confirmation  0.10 BTC → 9480.965 USDT:TRX']],
    [60, ['swap.exchanging', '    was confirmation  0.10 BTC → 9480.965 USDT:TRX']],
  ])('fits into %i columns', async (width, lines) => {
    const text = await eventLineView(event).screen(PLAIN, width);
    const [first = '', ...rest] = lines;
    expect(text).toBe(`${[text.split('swap.')[0] + first, ...rest].join('\n')}\n`);
    expect(text).toMatch(/^ \d\d:\d\d:\d\d {2}KQWZPA {2}swap/);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });
});

describe('a quote', () => {
  test('shows every digit', async () => {
    expect(await quoteView(QUOTE).screen(PLAIN, 80)).toBe(
      ` BTC → USDT:TRX  floating rate  · sandbox
 You send     0.1 BTC
 You receive  9480.965 USDT
 Rate         1 BTC = 94827.6517067630296 USDT
 Fees         about 1.80017067 USDT
 Minimum      0.00011 BTC
 Maximum      2.6 BTC
`,
    );
  });

  test('shows the fee stated by the service and the price impact', async () => {
    const shown = await quoteView({ ...QUOTE, fee: '1.8', impact: '-0.4' }).screen(PLAIN, 80);
    expect(shown).toContain(' Fee           1.8 (stated by the service)\n');
    expect(shown).toContain(' Price impact  −0.4 % compared with the rate at the minimum\n');
    expect(shown).not.toContain('Fees ');
  });

  test('shows no fee if the payout is rate × amount or more', async () => {
    for (const receive of ['9482.76517067630296', '9483', '9482.765170676'])
      expect(await quoteView({ ...QUOTE, receive }).screen(PLAIN, 80)).not.toContain('Fees ');
  });

  test('is marked LIVE for a live profile', async () => {
    expect(await quoteView({ ...QUOTE, environment: 'live' }).screen(PLAIN, 80)).toContain('· LIVE\n');
  });

  test('of both rate types is a table with the limits below', async () => {
    const view = comparisonView([{ ...QUOTE, type: 'fixed', receive: '9433.56' }, QUOTE]);
    expect(await view.screen(PLAIN, 80)).toBe(
      ` BTC → USDT:TRX  · sandbox
 RATE           SEND BTC  RECEIVE USDT              1 BTC =
 fixed rate          0.1       9433.56  94827.6517067630296
 floating rate       0.1      9480.965  94827.6517067630296
 Deposits from 0.00011 to 2.6 BTC
`,
    );
    expect(await view.screen(await createStyle(true), 80)).toMatch(/[^\n]\n$/);
  });

  const long = { min: '0.000110000000000001', max: '2.600000999999999999' };

  test('shortens limits only if space is short, rounding the minimum up and the maximum down', async () => {
    const view = comparisonView([{ ...QUOTE, ...long }]);
    expect(await view.screen(PLAIN, 80)).toContain(
      'Deposits from 0.000110000000000001 to 2.600000999999999999 BTC\n',
    );
    expect(await view.screen(PLAIN, 60)).toContain('Deposits from 0.000111 to 2.6 BTC\n');
  });

  test('never shortens limits in a pipe or in JSON', () => {
    const view = comparisonView([{ ...QUOTE, ...long }]);
    expect([...view.rows()][0]?.slice(-2)).toEqual([long.min, long.max]);
    expect(view.json()).toMatchObject([long]);
  });

  test('shows that there is no maximum', async () => {
    expect(await quoteView({ ...QUOTE, max: null }).screen(PLAIN, 80)).toContain(' Maximum      none\n');
    const view = comparisonView([{ ...QUOTE, type: 'fixed', max: null }, QUOTE]);
    expect(await view.screen(PLAIN, 90)).toContain(
      ' Deposits from 0.00011 (fixed) or 0.00011 to 2.6 (float) BTC\n',
    );
  });

  test('shows the limits of each rate type if they differ', async () => {
    const view = comparisonView([{ ...QUOTE, type: 'fixed', min: '1' }, QUOTE]);
    expect(await view.screen(PLAIN, 90)).toContain(
      ' Deposits from 1 to 2.6 (fixed) or 0.00011 to 2.6 (float) BTC\n',
    );
  });
});

describe('a swap', () => {
  test('has its status above its details', async () => {
    expect(await swapView(SWAP, NOW).screen(PLAIN, 100)).toBe(
      ` KQWZPA  exchanging  · sandbox
 Meaning          The deposit is confirmed and being exchanged.
 Rate type        fixed rate
 Deposit          0.10 BTC
   address        tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h
   transaction    ${'ab'.repeat(32)}
   confirmations  2
   seen           2 minutes ago
   fee            0 BTC
 Receive          9480.965 USDT:TRX
   address        TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE
 Risk score       4
 Created          1 hour ago
 Profile          sandbox
`,
    );
  });

  test('is a row in a list, with the time of its last poll if not just now', async () => {
    const seen = { ...SWAP, seenAt: new Date(NOW).toISOString() };
    expect(await swapsView([seen], NOW, NOW).screen(PLAIN, 80)).toBe(
      ' ORDER   STATUS      DEPOSIT   RECEIVE            CREATED\n KQWZPA  exchanging  0.10 BTC  9480.965 USDT:TRX  1 hour ago\n',
    );
    // By the clock of the service, which may be ahead of this machine's.
    expect(await swapsView([seen], NOW, NOW, [NOW + 3 * 3_600_000]).screen(PLAIN, 80)).toContain(
      ' 9480.965 USDT:TRX  4 hours ago\n',
    );
    const old = { ...SWAP, order: 'ZPAKQW', seenAt: new Date(NOW - 3 * 60_000).toISOString() };
    expect(await swapsView([seen, old], NOW, NOW).screen(PLAIN, 80)).toBe(
      ' ORDER   STATUS      DEPOSIT   RECEIVE            CHECKED  CREATED\n KQWZPA  exchanging  0.10 BTC  9480.965 USDT:TRX      now  1 hour ago\n ZPAKQW  exchanging  0.10 BTC  9480.965 USDT:TRX    3 min  1 hour ago\n',
    );
  });

  test('with an unknown outcome is marked in history', async () => {
    const lost: HistoryResult = {
      ...SWAP,
      order: null,
      status: 'unknown',
      statusCode: null,
      outcome: 'unknown',
      idempotencyKey: null,
      seenAt: null,
      id: 'entry-7',
      reason: 'broke off',
      requestedAt: '2026-01-31T11:59:00.000Z',
    };
    const text = await historyView([lost], NOW).screen(PLAIN, 80);
    expect(text).toContain(' -      unknown!  0.10 BTC');
    expect(text).toContain('1 minute ago');
  });

  test('in a watch line keeps a transaction id whole, on its own line if necessary', () => {
    const receive = { ...SWAP.receive, txId: 'cd'.repeat(32), confirmations: 1 };
    const paid = { ...SWAP, statusCode: 4, status: 'success', receive };
    const at = '2026-01-31T12:00:00.000Z';
    const clock = new Date(NOW).toTimeString().slice(0, 8);
    expect(swapLine(PLAIN, { at, swap: SWAP, before: null }, 120)).toBe(
      ` ${clock}  KQWZPA  exchanging  The deposit is confirmed and being exchanged.  deposit confirmations 2\n`,
    );
    expect(swapLine(PLAIN, { at, swap: paid, before: SWAP }, 80)).toBe(
      ` ${clock}  KQWZPA  success\n           The payout was sent and confirmed.\n           payout\n           ${'cd'.repeat(32)}\n           payout confirmations 1\n`,
    );
  });
});

describe('a list of coins', () => {
  const both = (networks: string[]) =>
    networks.map((network) => ({ network, memoRequired: network === 'TON' }));
  const COIN = { code: 'USDT', name: 'Tether', image: null };

  test('marks memos and one-sided networks and explains the marks', async () => {
    const coin = { ...COIN, deposit: both(['ETH', 'TON', 'TRX']), receive: both(['ETH', 'TON', 'SOL']) };
    expect(await coinsView([coin]).screen(PLAIN, 80)).toBe(
      ' COIN  NAME    NETWORKS\n USDT  Tether  ETH TON* TRX↓ SOL↑\n * needs a memo   ↓ deposit only   ↑ receive only\n',
    );
  });

  test('wraps long lists of networks between networks', async () => {
    const names = ['ETH', 'TRX', 'BSC', 'SOL', 'MATIC', 'ARBITRUM', 'OPTIMISM', 'AVAXC'];
    const coin = { ...COIN, deposit: both(names), receive: both(names) };
    expect(await coinsView([coin]).screen(PLAIN, 40)).toBe(
      ' COIN  NAME    NETWORKS\n USDT  Tether  ETH TRX BSC SOL MATIC\n               ARBITRUM OPTIMISM AVAXC\n',
    );
  });

  test('of one coin says of each network whether it can be deposited and received', async () => {
    const memos = { memoRequired: true, aliases: ['TRC20', 'TRON'] };
    const networks = [
      { network: 'TRX', deposit: true, receive: false, ...memos },
      { network: 'X', deposit: false, receive: true, memoRequired: false, aliases: [] },
    ];
    expect(await networksView({ coin: 'USDT', networks }).screen(PLAIN, 80)).toBe(
      ' NETWORK  DEPOSIT  RECEIVE  MEMO    ALIASES\n TRX      yes      no       needed  TRC20, TRON\n X        no       yes\n',
    );
  });
});

describe('a help topic', () => {
  test.each(['statuses', 'environment', 'exit-codes', 'json', 'safety'] as const)(
    '%s fits 60 and 80 columns',
    async (topic) => {
      for (const width of [60, 80]) {
        const text = await topicView(topic).screen(PLAIN, width);
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(text).not.toMatch(/ \n|\n\n\n/);
      }
    },
  );

  test('puts a long term above its description', () => {
    const parts = [{ terms: { 'a long term of words': 'what it means', b: 'short' } }];
    expect(renderHelpText(parts, 30)).toBe(
      'a long term of words\n            what it means\nb           short\n',
    );
  });
});

describe('the times', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const saved = { name: 'funded', savedAt: NOW, now: NOW, orders: 1, partners: 1, faults: 0, bytes: 1 };
  const transition = { order: 'KQWZPA', from: 9, to: 1, at: NOW };
  const clock = { now: NOW, offset: 1000, standsStill: false };
  const changes = { createdAt: [at, at] } as const;
  const nothing = { added: [], removed: [], changed: [] };
  const counts = { orders: 0, partners: 1, faults: 0, coins: 1, networks: 1 };
  const side = { name: 'funded', now: at };
  const sides = { from: side, to: side, same: false };
  const same = { partners: nothing, faults: nothing };
  const orders = { ...nothing, changed: [{ order: 'KQWZPA', status: 'new', changes }] };
  test.each([
    ['the clock', clockView({ ...clock, transitions: [transition] })],
    ['the sandbox', infoView({ database: 'memory', kind: 'sqlite', ...counts, seed: null, clock })],
    ['a loaded snapshot', loadedView(saved)],
    ['a snapshot diff', diffView({ ...sides, ...same, clock: { changes: {} }, orders })],
  ])('of %s are local on a terminal and UTC in a pipe', async (_, view) => {
    const screen = await view.screen(PLAIN, 100);
    expect(screen).toContain(localTime(at));
    expect(screen).not.toContain('T12:00');
    expect([...view.rows()].join()).toContain(at);
    expect(JSON.stringify(view.json())).toContain(at);
  });
});

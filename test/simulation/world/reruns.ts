import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { PAYEES } from './coins.ts';
import { on, usualSwap } from './create-cases.ts';
import { TAGGED } from './mistyped.ts';

/** A row of a list, perhaps with a label `team` and a key of its own. */
export interface ListRow {
  readonly asked: SwapInput;
  readonly team: string | null;
  readonly key: string | null;
}

/** A list that is run, and what must become of it. */
export interface Rerun {
  /** The visit at which it is run, from 0. */
  readonly visit: number;
  readonly rows: readonly ListRow[];
  readonly how: 'plain' | 'resume' | 'repeat';
  /** The orders that are open are read before. */
  readonly isRead: boolean;
  /** Its creates end with an unknown outcome. */
  readonly isLost: boolean;
  /** Hours by which the clock of the machine is ahead. */
  readonly ahead?: number;
  /** The codes under which the service lists USDT on Ethereum, and nowhere else. */
  readonly listed?: readonly string[];
  /** Someone pays its last order. */
  readonly isPaid?: boolean;
  /** Its results are not read after the first one. */
  readonly isCut?: boolean;
  /** How many creates it sends, or the words of its refusal, which no code of the product is asked about. */
  readonly said: RegExp;
}

type Unusual = Partial<SwapInput> & { readonly team?: string; readonly key?: string };

/** A row; each story has amounts of its own. */
function row({ team, key, ...changes }: Unusual = {}): ListRow {
  return { asked: usualSwap({ tolerance: '9', ...changes }), team: team ?? null, key: key ?? null };
}

function run(
  visit: number,
  rows: readonly Unusual[],
  said: string | RegExp,
  how: Rerun['how'] = 'plain',
): Rerun {
  const words = typeof said === 'string' ? new RegExp(`^${said}$`) : said;
  return { visit, rows: rows.map(row), how, isRead: false, isLost: false, said: words };
}

const XRP = { to: on('XRP'), address: PAYEES.XRP[0] };
const USDT = { to: { coin: 'USDT', network: 'ETH' } };
const TON = { to: on('TON'), address: 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB', amount: '0.0591' };
const amount = (value: string) => ({ amount: value });

/** The address of {@link TAGGED} without its tag, which is 1. */
const UNTAGGED = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
/** More rows than the numbers of equal ones that are read at once. */
const MANY = Array.from({ length: 12 }, (_, at) => amount(`0.0${71 + at}`));
const EQUAL = Array.from({ length: 24 }, () => amount('0.049'));

const APART = [
  { ...XRP, memo: '1' },
  {},
  { type: 'fixed' as const },
  { lastSource: 'receive' as const },
  amount('0.057'),
  { from: on('SOL') },
].map((part) => ({ ...amount('0.056'), tolerance: '0.3', ...part }));

/** Visits are nine minutes apart; a fixed rate waits for its deposit for twenty minutes, a floating one for thirty. */
export const RERUNS: readonly Rerun[] = [
  run(0, [{ key: 'one' }, { key: 'one', ...amount('0.06') }], /Same key as row 1/),
  // Rows that differ in one part alone have prices of their own, also where these lie between those of other amounts.
  run(0, APART, '6 sent'),
  run(
    0,
    [{ ...XRP, memo: '1' }, {}, { from: on('SOL') }].flatMap((part) =>
      ['0.0581', '0.0582', '0.0583', '0.0584'].map((value) => ({ ...amount(value), ...part })),
    ),
    '12 sent',
  ),
  // The order of the rows, and how they are written, are no part of them.
  run(0, [amount('0.061'), amount('0.062')], '2 sent'),
  run(1, [amount('0.062'), amount('0.0610')], '0 sent'),
  run(1, [{ ...amount('0.061'), from: { coin: 'btc', network: 'bitcoin' } }], '0 sent'),
  run(1, [{ ...amount('0.061'), type: 'fixed' }], /rate type differs/),
  run(
    0,
    [
      { ...XRP, ...amount('0.063'), memo: '1' },
      { ...XRP, ...amount('0.063'), memo: '2' },
    ],
    '2 sent',
  ),
  run(
    1,
    [
      { ...XRP, ...amount('0.063'), memo: '2' },
      { ...XRP, ...amount('0.063'), memo: '3' },
    ],
    '1 sent',
  ),
  // Memos of other letters are other ones.
  run(0, [{ ...TON, memo: 'Ab' }], '1 sent'),
  run(1, [{ ...TON, memo: 'aB' }], '1 sent'),
  run(0, [{ ...TON, memo: 'Ab', key: 'memo' }], '1 sent'),
  run(1, [{ ...TON, memo: 'aB', key: 'memo' }], /the memo differs/),
  run(1, [{ ...TON, memo: 'aB', key: 'MEMO' }], '1 sent'),
  run(0, [{ ...XRP, ...amount('0.069'), address: TAGGED }], '1 sent'),
  run(1, [{ ...XRP, ...amount('0.069'), address: UNTAGGED, memo: '1' }], '0 sent'),
  run(0, MANY, '12 sent'),
  run(1, MANY.slice(-1), '0 sent'),
  // Equal rows are as many payments.
  run(0, [amount('0.064'), amount('0.064')], '2 sent'),
  run(1, [amount('0.064'), amount('0.064'), amount('0.064')], '1 sent'),
  run(0, [{ ...amount('0.065'), team: 'a' }], '1 sent'),
  run(1, [{ ...amount('0.065'), team: 'b' }], /label.* while this row has/),
  run(
    1,
    [
      { ...amount('0.065'), team: 'b' },
      { ...amount('0.065'), team: 'a' },
    ],
    /label/,
  ),
  run(1, [{ ...amount('0.065'), team: 'b' }], '1 sent', 'repeat'),
  run(1, [{ ...amount('0.065'), team: 'b' }], '0 sent', 'repeat'),
  run(1, [{ ...amount('0.065'), team: 'a' }], '0 sent'),
  // Seen in its last minutes, and then past its end.
  run(0, [{ ...amount('0.066'), type: 'fixed' }], '1 sent'),
  run(2, [{ ...amount('0.066'), type: 'fixed' }], '0 sent'),
  run(3, [{ ...amount('0.066'), type: 'fixed' }], /has expired/),
  run(3, [{ ...amount('0.066'), type: 'fixed' }], '0 sent', 'resume'),
  // Past its end: once more, but not twice.
  run(0, [amount('0.067')], '1 sent'),
  run(5, [amount('0.067')], /has expired/),
  { ...run(5, [amount('0.067')], /has ended as overdue/), isRead: true },
  run(5, [amount('0.067')], '0 sent', 'resume'),
  run(5, [amount('0.067')], '1 sent', 'repeat'),
  run(5, [amount('0.067')], '0 sent', 'repeat'),
  run(9, [amount('0.067')], /has expired/),
  run(9, [amount('0.067')], '0 sent', 'repeat'),
  // An unknown outcome is no reason for another order.
  { ...run(0, [{ ...amount('0.068'), team: 'a' }], /unknown/), isLost: true },
  run(1, [{ ...amount('0.068'), team: 'b' }], /may exist/),
  run(1, [{ ...amount('0.068'), team: 'b' }], /may exist/, 'repeat'),
  run(1, [{ ...amount('0.068'), team: 'a' }], /unknown/, 'repeat'),
  // Whatever code the service now has for a network.
  run(0, [{ ...USDT, ...amount('0.051') }], '1 sent'),
  ...['ETH', 'ERC20', null].map((network) => ({
    ...run(1, [{ to: { coin: 'usdt', network }, ...amount('0.051') }], '0 sent'),
    listed: ['ERC20'],
  })),
  {
    ...run(1, [{ to: { coin: 'USDT', network: 'ERC20' }, ...amount('0.051') }], /payout coin differs/),
    listed: ['ETH', 'ERC20'],
  },
  // An open order is of the row for a day, and one of a clock that was ahead is polled.
  run(0, [amount('0.052')], '1 sent'),
  { ...run(1, [amount('0.052')], '0 sent'), ahead: 23 },
  { ...run(1, [amount('0.052')], /is older than a day/), ahead: 25 },
  { ...run(0, [amount('0.053')], '1 sent'), ahead: 1, isPaid: true },
  run(2, [amount('0.053')], /has ended as success/),
  // A repeat that reached one of two rows is no reason to pay that one again.
  run(0, [amount('0.054'), amount('0.055')], '2 sent'),
  { ...run(1, [amount('0.054')], '1 sent', 'repeat'), ahead: 48 },
  { ...run(1, [amount('0.054'), amount('0.055')], /only some of the rows/, 'repeat'), ahead: 96 },
  { ...run(1, [amount('0.055')], '1 sent', 'repeat'), ahead: 96 },
  // What has begun is awaited, and known.
  {
    ...run(
      6,
      MANY.map((each) => ({ ...each, team: 'c', key: `cut-${each.amount}` })),
      /^5 sent$/,
    ),
    isCut: true,
  },
  // Equal rows that take longer than their price may be of.
  run(9, EQUAL, '24 sent'),
  // A name of several networks is none of them, nor is the code of another network.
  ...(
    [
      ['polygon', ['MATIC', 'ZKEVM'], /is ambiguous/],
      ['avax', ['AVAXC', 'AVAXX'], /is ambiguous/],
      ['eth', ['Eth', 'ETH'], /is ambiguous/],
      ['BTC', ['BITCOIN'], /BTC/],
    ] as const
  ).map(([network, listed, said]) => ({ ...run(9, [{ to: { coin: 'USDT', network } }], said), listed })),
];

import { expect, it } from 'vitest';
import { batchCommand } from '../../../src/cli/commands/batch/batch.ts';
import { createCommand } from '../../../src/cli/commands/create/create.ts';
import { quoteCommand } from '../../../src/cli/commands/quote/quote.ts';
import { refundCommand } from '../../../src/cli/commands/refund/refund.ts';
import { statusCommand } from '../../../src/cli/commands/status/status.ts';
import { itReads, NO_BATCH_OPTIONS, NO_CREATE_OPTIONS, optionsOf } from './options.ts';

const PAIR = {
  from: { coin: 'BTC', network: null },
  to: { coin: 'usdt', network: 'trx' },
  amount: '0.10',
  lastSource: 'deposit',
  type: null,
};
const NOT_COMPARED = 'usage: --compare cannot be combined with --fixed, --float or --watch.';
const QUOTE = { request: PAIR, compare: false, impact: false, watch: false, intervalMs: null, target: null };
itReads(quoteCommand, 'quote', [
  ['BTC usdt:trx 0.10', QUOTE],
  ['BTC usdt:trx 0.10 --float', { ...QUOTE, request: { ...PAIR, type: 'float' } }],
  ['BTC usdt:trx 0.10 -f', { ...QUOTE, request: { ...PAIR, type: 'fixed' } }],
  [
    '--fixed --receive BTC usdt:trx 0.10',
    { ...QUOTE, request: { ...PAIR, type: 'fixed', lastSource: 'receive' } },
  ],
  ['BTC usdt:trx 0.10 -rf', { ...QUOTE, request: { ...PAIR, type: 'fixed', lastSource: 'receive' } }],
  ['BTC usdt:trx 0.10 --compare', { ...QUOTE, compare: true }],
  ['BTC usdt:trx 0.10 -w -i 2.5', { ...QUOTE, watch: true, intervalMs: 2500 }],
  ['BTC usdt:trx 0.10 -w --interval 60', { ...QUOTE, watch: true, intervalMs: 60_000 }],
  ['BTC usdt:trx 0.10 -i 5', 'usage: --interval requires --watch.'],
  ['BTC usdt:trx 0.10 -w --above 28.50', { ...QUOTE, watch: true, target: { side: 'above', rate: '28.50' } }],
  [
    'BTC usdt:trx 0.10 --below 0.00000001 --watch',
    { ...QUOTE, watch: true, target: { side: 'below', rate: '0.00000001' } },
  ],
  ['BTC usdt:trx 0.10 --above 28', 'usage: --above and --below require --watch.'],
  ['BTC usdt:trx 0.10 -w --above 28 --below 20', 'usage: --above and --below cannot be combined.'],
  [
    'BTC usdt:trx 0.10 -w --above 28,5',
    'usage: Invalid rate 28,5: it contains a comma; use a decimal point and no thousands separators.',
  ],
  ['BTC usdt:trx 0.10 -w --below 0', 'usage: Invalid rate 0: it must be greater than zero.'],
  ['0.10 BTC usdt:trx', QUOTE],
  ['BTC usdt:trx -- -1', 'invalid_amount: Invalid amount -1: it must be greater than zero.'],
  ['BTC A:B:C 1', 'usage: Invalid coin A:B:C: use a code such as BTC or USDT:TRX.'],
  [
    'BTC usdt:trx 1 -w -i 0',
    "error: option '-i, --interval <seconds>' argument '0' is invalid. Use a number of seconds from 0.1 to 999999.9, such as 2 or 0.5.",
  ],
  ['BTC ETH 1 --compare -w', NOT_COMPARED],
  ['BTC ETH 1 --compare -f', NOT_COMPARED],
  ['BTC ETH 1 --compare --float', NOT_COMPARED],
]);

const ASKED = {
  ...NO_CREATE_OPTIONS,
  from: { coin: 'BTC', network: null },
  to: { coin: 'XRP', network: 'XRP' },
  amount: '0.1',
  lastSource: 'deposit',
};
itReads(createCommand, 'create', [
  ['', NO_CREATE_OPTIONS],
  ['BTC XRP:XRP 0.1', ASKED],
  ['0.1 BTC XRP:XRP', ASKED],
  ['0.1 BTC', { ...ASKED, to: null }],
  ['BTC XRP:XRP 0.1 -a r1 -m 7 -y', { ...ASKED, address: 'r1', memo: '7', yes: true }],
  ['BTC XRP:XRP 0.1 --address r1 --no-memo', { ...ASKED, address: 'r1', memoWaived: true }],
  ['BTC XRP:XRP 0.1 -r -f', { ...ASKED, lastSource: 'receive', type: 'fixed' }],
  ['BTC XRP:XRP 0.1 --float --min-receive 5.50', { ...ASKED, type: 'float', minReceive: '5.50' }],
  [
    'BTC XRP:XRP 0.1 --refund-address b1 --no-qr --dry-run',
    { ...ASKED, refundAddress: 'b1', qr: false, dryRun: true },
  ],
  ['BTC XRP:XRP 0.1 --qr', { ...ASKED, qr: true }],
  ['--like KQWZPA', { ...NO_CREATE_OPTIONS, like: 'KQWZPA' }],
  ['--like KQWZPA 0.2', { ...NO_CREATE_OPTIONS, like: 'KQWZPA', amount: '0.2' }],
  [
    '--like KQWZPA 0.2 -r -f',
    { ...NO_CREATE_OPTIONS, like: 'KQWZPA', amount: '0.2', lastSource: 'receive', type: 'fixed' },
  ],
  ['--like KQWZPA BTC', 'invalid_amount: Invalid amount BTC: it is not a plain decimal number such as 0.1.'],
  ['BTC XRP:XRP 0.1 --tolerance 0.25%', { ...ASKED, tolerance: '0.25' }],
  ['BTC XRP:XRP 0.1 --tolerance 100%', { ...ASKED, tolerance: '100' }],
  ['BTC XRP:XRP 0.1 -w --exit-status', { ...ASKED, watch: true, exitStatus: true }],
  ['--idempotency-key order-991', { ...NO_CREATE_OPTIONS, idempotencyKey: 'order-991' }],
  ['--memo 1 --no-memo', 'usage: Conflicting memos: pass only one of --memo and --no-memo.'],
  ['--no-memo --memo 1', 'usage: Conflicting memos: pass only one of --no-memo and --memo.'],
  ['--memo 1 --memo 2', 'usage: Conflicting memos: pass only one of --memo and --memo.'],
]);

it.each(['', '-1%', '1,5%', '100.1%', '.5%', '01%', '1e1%', ' 1%', '%'])(
  'create rejects the tolerance %j',
  async (text) => {
    expect(await optionsOf(createCommand, ['create', `--tolerance=${text}`])).toBe(
      `error: option '--tolerance <percentage>' argument '${text}' is invalid. Use a percentage from 0% to 100%, such as 1% or 0.5%.`,
    );
  },
);

it.each([[''], ['with space'], ['ä'], ['k'.repeat(256)]])('create rejects the key %j', async (key) => {
  expect(await optionsOf(createCommand, ['create', '--idempotency-key', key])).toBe(
    'usage: Invalid idempotency key: use 1 to 255 printable ASCII characters without spaces.',
  );
});

const STATUS = {
  orders: [],
  watch: null,
  budget: null,
  maxAgeMs: null,
  exitStatus: false,
  attention: false,
  qr: null,
  listing: { columns: null, sort: null, reverse: false },
};
const OF_A = { ...STATUS, orders: ['A'] };
const WATCH = { intervalMs: null };
itReads(statusCommand, 'status', [
  ['', STATUS],
  ['A B A', { ...STATUS, orders: ['A', 'B'] }],
  ['A -w', { ...OF_A, watch: WATCH }],
  ['A -w -i 0.5 --exit-status', { ...OF_A, watch: { intervalMs: 500 }, exitStatus: true }],
  ['A -w --budget 20/10s', { ...OF_A, watch: WATCH, budget: { requests: 20, durationMs: 10_000 } }],
  ['A --budget 20/10s', { ...OF_A, budget: { requests: 20, durationMs: 10_000 } }],
  ['A --max-age 5m', { ...OF_A, maxAgeMs: 300_000 }],
  ['--max-age 0s', { ...STATUS, maxAgeMs: 0 }],
  ['A --no-qr', { ...OF_A, qr: false }],
  ['A --qr', { ...OF_A, qr: true }],
  ['--attention', { ...STATUS, attention: true }],
  ['--attention --exit-status', 'usage: --attention cannot be combined with --watch or --exit-status.'],
  ['-w --max-age 1m', 'usage: --max-age cannot be combined with --watch, which polls every swap.'],
  ['-w --attention', 'usage: --attention cannot be combined with --watch or --exit-status.'],
  ['-w --sort order', 'usage: --columns, --sort and --reverse cannot be combined with --watch.'],
  ['A -i 5', 'usage: --interval requires --watch.'],
  // Any fact of a swap may stand here, such as a label.
  ['team=Ä', { ...STATUS, orders: ['team=Ä'] }],
  ['A\u200b', 'usage: Invalid order number A<U+200B>.'],
  [`${'A-'.repeat(257)}`, `usage: Invalid order number ${'A-'.repeat(30)}…${'A-'.repeat(15)}.`],
]);

const MAP = new Map(Object.entries({ from: 'Von', min_receive: 'Mind', 'label.note': 'Text' }));

itReads(batchCommand, 'batch', [
  ['rows.csv', NO_BATCH_OPTIONS],
  ['- --yes', { ...NO_BATCH_OPTIONS, file: '-', yes: true }],
  ['rows.csv --dry-run', { ...NO_BATCH_OPTIONS, dryRun: true }],
  ['rows.csv -y -o out.CSV', { ...NO_BATCH_OPTIONS, yes: true, output: 'out.CSV' }],
  ['rows.csv --output out.ndjson', { ...NO_BATCH_OPTIONS, output: 'out.ndjson' }],
  ['rows.csv --budget 600/60s', { ...NO_BATCH_OPTIONS, budget: { requests: 600, durationMs: 60_000 } }],
  ['rows.csv --tolerance 0.5%', { ...NO_BATCH_OPTIONS, tolerance: '0.5' }],
  ['rows.csv --label team=ops --label run=7', { ...NO_BATCH_OPTIONS, labels: { team: 'ops', run: '7' } }],
  ['rows.csv --resume', { ...NO_BATCH_OPTIONS, resume: true }],
  ['rows.csv --repeat', { ...NO_BATCH_OPTIONS, repeat: true }],
  ['rows.csv --map From=Von,min-receive=Mind --map label.note=Text', { ...NO_BATCH_OPTIONS, map: MAP }],
  ['rows.csv -o out.txt', 'usage: Unknown format of the result file out.txt.'],
]);

itReads(refundCommand, 'refund', [
  ['A', { order: 'A', address: null, yes: false, dryRun: false, approval: null }],
  ['A bc1 -y', { order: 'A', address: 'bc1', yes: true, dryRun: false, approval: null }],
  [
    '--yes A bc1 --approval apr_0123456789abcdef0123',
    { order: 'A', address: 'bc1', yes: true, dryRun: false, approval: { id: 'apr_0123456789abcdef0123' } },
  ],
  ['A --dry-run', { order: 'A', address: null, yes: false, dryRun: true, approval: null }],
  ['', "error: missing required argument 'order'"],
  ['A b c', "error: too many arguments for 'refund'. Expected 2 arguments but got 3."],
]);

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BigNumber from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { type RandomSwap, randomSwap, seeded } from '../../../core/ledger/report/random-swaps.ts';
import { ledgerHome } from '../../../helpers/ledger-home.ts';
import { hasTool } from '../../../helpers/tools.ts';

const run = promisify(execFile);
BigNumber.config({ DECIMAL_PLACES: 2000, EXPONENTIAL_AT: 1e9 });

const random = seeded(11);
const SWAPS: readonly RandomSwap[] = Array.from({ length: 120 }, (_, index) =>
  randomSwap(index, random, index % 6 === 0 ? 'sandbox' : 'live'),
);
const settled = (status: string) =>
  SWAPS.filter(
    ({ row, ...swap }) => row.environment === 'live' && swap.outcome === 'created' && swap.status === status,
  );

/** A row like a drawn one, with texts in it that try to break out of a file. */
function hostile(): RandomSwap {
  const base = settled('success')[0] as RandomSwap;
  const text = 'a"\\\n2026-01-01 open Assets:Evil\u001b[2J,=1+1';
  const snapshot = JSON.parse(base.row.snapshot ?? '');
  const changed = {
    ...snapshot,
    deposit: { ...snapshot.deposit, coin: 'we"ird\n coin', txId: text },
    receive: { ...snapshot.receive, coin: '1INCH', txId: `=${text}`, paidAmount: '3', fee: '0.5' },
  };
  return { ...base, row: { ...base.row, id: 'evil', order_number: text, snapshot: JSON.stringify(changed) } };
}

async function written(swaps: readonly RandomSwap[], format: string, name: string) {
  const { home, run } = await ledgerHome(swaps.map(({ row }) => row));
  const { stdout, stderr } = await run(['history', '--format', format]);
  const file = join(home, name);
  await writeFile(file, stdout);
  return { stdout, stderr, file, home };
}

function summed(amounts: readonly (readonly [coin: string, amount: string])[]): Record<string, string> {
  const sums: Record<string, BigNumber> = {};
  for (const [coin, amount] of amounts) sums[coin] = (sums[coin] ?? new BigNumber(0)).plus(amount);
  return Object.fromEntries(Object.entries(sums).map(([coin, sum]) => [coin, sum.toFixed()]));
}

describe('history --format koinly', () => {
  it("has Koinly's universal header and one line for each paid live swap", async () => {
    const { stdout, stderr } = await written(SWAPS, 'koinly', 'koinly.csv');
    const lines = stdout.split('\r\n');
    expect(lines[0]).toBe(
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    );
    expect(lines).toHaveLength(settled('success').length + 2);
    expect(stderr).toBe(
      `Showing live swaps of all profiles, without sandbox swaps.\nOnly settled swaps (success) are exported: ${settled('success').length}. Times are UTC.\n`,
    );
    expect((await written([], 'koinly', 'koinly.csv')).stdout).toBe(`${lines[0]}\r\n`);
  });

  it.skipIf(!hasTool('sqlite3'))('contains the exact amounts of the ledger, as read by sqlite3', async () => {
    const { file } = await written(SWAPS, 'koinly', 'koinly.csv');
    const query =
      'select "Sent Currency", "Sent Amount", "Received Currency", "Received Amount", "Date" from k';
    const { stdout } = await run('sqlite3', [':memory:', '-cmd', `.import --csv ${file} k`, '-json', query]);
    const rows = JSON.parse(stdout) as Record<string, string>[];
    const paid = settled('success');
    const column = (coin: string, amount: string) =>
      rows.map((row) => [row[coin] ?? '', row[amount] ?? ''] as const);
    expect(summed(column('Sent Currency', 'Sent Amount'))).toEqual(
      summed(paid.map(({ coins, deposit }) => [coins[0], deposit])),
    );
    expect(summed(column('Received Currency', 'Received Amount'))).toEqual(
      summed(paid.map(({ coins, paid }) => [coins[1], paid])),
    );
    for (const { Date: date = '' } of rows) expect(date).toMatch(/^2026-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  });

  it.skipIf(!hasTool('hledger'))('is readable by hledger even with hostile text', async () => {
    const { file, home } = await written([...SWAPS, hostile()], 'koinly', 'koinly.csv');
    const rules = join(home, 'koinly.rules');
    await writeFile(
      rules,
      'skip 1\nfields date_, sent, sentcoin, got, gotcoin, , , , , , description, hash\ndate %date_\ndate-format %Y-%m-%d %H:%M:%S UTC\ncurrency "%gotcoin"\namount %got\naccount1 assets\naccount2 income\n',
    );
    const { stdout } = await run('hledger', ['-f', file, '--rules-file', rules, 'print', '-O', 'csv']);
    expect(stdout.trim().split('\n')).toHaveLength(2 * (settled('success').length + 1) + 1);
  });
});

/** Sums of the postings of each account of assets, by beancount's own reader, without its rounding for display. */
const BALANCES = `
import decimal, json, sys
from beancount import loader
from beancount.core.data import Transaction
entries, errors, options = loader.load_file(sys.argv[1])
assert not errors
decimal.getcontext().prec = 300
sums = {}
for entry in entries:
    for posting in entry.postings if isinstance(entry, Transaction) else []:
        if posting.account.startswith('Assets:'):
            sums[posting.account] = sums.get(posting.account, 0) + posting.units.number
print(json.dumps({account: format(sum, 'f') for account, sum in sums.items()}))
`;

describe('history --format beancount', () => {
  it.skipIf(!hasTool('bean-check'))('passes bean-check even with hostile text', async () => {
    for (const swaps of [[...SWAPS, hostile()], []]) {
      const { file } = await written(swaps, 'beancount', 'swaps.beancount');
      expect(await run('bean-check', [file])).toEqual({ stdout: '', stderr: '' });
    }
  });

  it.skipIf(!hasTool('bean-check'))('has the amounts of the ledger as balances', async () => {
    const { file } = await written(SWAPS, 'beancount', 'swaps.beancount');
    const { stdout } = await run('/usr/bin/python3', ['-c', BALANCES, file]);
    const paid = settled('success');
    const wanted = summed([
      ...paid.map(({ coins, deposit }) => [coins[0], `-${deposit}`] as const),
      ...paid.map(({ coins, paid }) => [coins[1], paid] as const),
      ...settled('refund').map(({ coins, deposit }) => [coins[0], `-${deposit}`] as const),
    ]);
    const balances = JSON.parse(stdout) as Record<string, string>;
    const found = Object.entries(balances).filter(([account]) => account !== 'Assets:Swaps:Refunds');
    expect(
      Object.fromEntries(found.map(([account, sum]) => [account.slice(13), new BigNumber(sum).toFixed()])),
    ).toEqual(wanted);
  });

  it('writes price, fees and metadata of a swap, and flags refunds and mismatches with !', async () => {
    const [swap] = settled('success') as [RandomSwap];
    const snapshot = JSON.parse(swap.row.snapshot ?? '');
    const row = (index: number, change: object, doubts = '[]') => ({
      ...swap,
      row: {
        ...swap.row,
        id: `i${index}`,
        order_number: `O${index}`,
        requested_at: 10 - index,
        labels: '{"team":"ops"}',
        doubts,
        snapshot: JSON.stringify({
          ...snapshot,
          order: `O${index}`,
          endedAt: '2026-03-01T23:30:00-02:00',
          deposit: { ...snapshot.deposit, coin: 'BTC', amount: '2', fee: '0.1', txId: 'd' },
          receive: {
            ...snapshot.receive,
            coin: '1INCH',
            paidAmount: '1.49',
            fee: '0.01',
            txId: 'p',
            address: 'a',
          },
          ...change,
        }),
      },
    });
    const { stdout } = await written([row(0, {}), row(1, { status: 'refund' })], 'beancount', 'b');
    const common = `  profile: "shop"
  environment: "live"
  time: "2026-03-02T01:30:00.000Z"
  deposit-tx: "d"
  payout-tx: "p"
  payout-address: "a"
  deposit-fee: "0.1 BTC"
  labels: "team=ops"`;
    expect(stdout).toBe(`\
; Swaps of swapctl; days are UTC.
2009-01-03 open Assets:Swaps:BTC
2009-01-03 open Assets:Swaps:1INCH
2009-01-03 open Expenses:Swaps:Network-Fees
2009-01-03 commodity X'1INCH
  coin: "1INCH"

2026-03-02 * "swapctl" "BTC to 1INCH"
  order: "O0"
${common}
  Assets:Swaps:BTC  -2.00 BTC @@ 1.5 X'1INCH
  Assets:Swaps:1INCH  1.49 X'1INCH
  Expenses:Swaps:Network-Fees  0.01 X'1INCH
2009-01-03 open Assets:Swaps:Refunds

2026-03-02 ! "swapctl" "BTC refunded"
  order: "O1"
${common}
  Assets:Swaps:BTC  -2.00 BTC
  Assets:Swaps:Refunds  2.00 BTC
`);
    const doubted = await written([row(0, {}, '["success_without_payout_tx"]')], 'beancount', 'b');
    expect(doubted.stdout).toContain('\n2026-03-02 ! "swapctl" "BTC to 1INCH"\n');
    expect(doubted.stdout).toContain('\n  doubts: "success_without_payout_tx"\n');
  });
});

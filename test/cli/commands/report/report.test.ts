import { describe, expect, it } from 'vitest';
import type { HealthResult } from '../../../../src/cli/commands/report/health.ts';
import { reportCommand } from '../../../../src/cli/commands/report/report.ts';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import type { FiguresFilter } from '../../../../src/core/ledger/report/figures.ts';
import type { Report } from '../../../../src/core/ledger/report/report.ts';
import { BOTH_DATABASES } from '../../../core/database/databases.ts';
import { claimed, INTENT, OWNER, observed } from '../../../core/ledger/entries.ts';
import { expectedTotal } from '../../../core/ledger/report/expected.ts';
import { type RandomSwap, randomSwap, seeded } from '../../../core/ledger/report/random-swaps.ts';
import { ledgerHome } from '../../../helpers/ledger-home.ts';
import { AT_TERMINAL, type RunHere } from '../../../helpers/run-here.ts';
import { words } from '../../../helpers/words.ts';
import { inStory, ORDER, withDeposit } from '../history/scene.ts';
import { itReads } from '../options.ts';

/** A home whose ledger holds these swaps, and a way to run commands there. */
async function homeWith(swaps: readonly RandomSwap[]) {
  const { run } = await ledgerHome(swaps.map(({ row }) => row));
  return (args: string, how?: Partial<RunHere>) => run(words(args), how);
}

function drawn(count: number, environments: readonly string[], seed = 1): RandomSwap[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) =>
    randomSwap(index, random, environments[index % environments.length]),
  );
}

describe('swapctl report', () => {
  it('totals only live swaps if there are any, and prints a note', async () => {
    const swaps = drawn(200, ['live', 'sandbox']);
    const run = await homeWith(swaps);
    const { stdout, stderr } = await run('report --json --share 0.4%');
    const report = JSON.parse(stdout) as Report;
    const live = swaps.filter(({ row }) => row.environment === 'live');
    expect(report.total).toEqual(expectedTotal(live, '0.004'));
    expect(Object.keys(report).join(' ')).toBe('since until by groups total environment profile auditHead');
    expect([report.since, report.until, report.by, report.environment]).toEqual([null, null, 'pair', 'live']);
    expect(stderr).toBe('Showing live swaps of all profiles, without sandbox swaps.\n');
  });

  it('totals sandbox swaps if there are no live swaps, and prints a note', async () => {
    const swaps = drawn(100, ['sandbox']);
    const { stdout, stderr } = await (await homeWith(swaps))('report --json --by status');
    expect((JSON.parse(stdout) as Report).total).toEqual({ ...expectedTotal(swaps, '0'), share: [] });
    expect(stderr).toBe('No live swaps found; showing sandbox swaps of all profiles.\n');
  });

  it('totals the swaps of the selected profile and rejects an unknown profile', async () => {
    const [first, second, ...rest] = drawn(9, ['live']);
    const desk = [first, second].map((swap) => ({
      ...(swap as RandomSwap),
      row: { ...(swap as RandomSwap).row, profile: 'desk', environment: 'sandbox' },
    }));
    const run = await homeWith([...desk, ...rest]);
    const { stdout, stderr } = await run('report -p desk --json');
    expect(JSON.parse(stdout)).toMatchObject({
      profile: 'desk',
      environment: 'sandbox',
      total: { count: 2 },
    });
    expect(stderr).toBe('Profile desk has no live swaps; showing its sandbox swaps.\n');
    expect((await run('report -p dask')).error?.message).toContain('dask');
  });

  it('includes whole days, groups by day, and names the time zone', async () => {
    const [swap] = drawn(1, ['live']) as [RandomSwap];
    const at = (time: string, index: number) => ({
      ...swap,
      row: { ...swap.row, id: `i${index}`, order_number: `O${index}`, requested_at: Date.parse(time) },
    });
    const times = ['2026-01-30T23:59:59.999Z', '2026-01-31T00:00:00Z', '2026-01-31T23:59:59.999Z'];
    const run = await homeWith([...times, '2026-02-01T00:00:00Z'].map(at));
    const { stdout, stderr } = await run('report --by day --since 2026-01-31 --until 2026-01-31 --json');
    const report = JSON.parse(stdout) as Report;
    expect(report.groups.map(({ key, count }) => [key, count])).toEqual([['2026-01-31', 2]]);
    expect([report.since, report.until]).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z']);
    expect(stderr).toContain('Days are in UTC.\n');
    expect((await run('report --by day', { terminals: AT_TERMINAL })).stderr).toContain(
      'Days are in local time, ',
    );
    expect((await run('report --by week')).stderr).toContain(
      'Weeks are in UTC, and start on Monday (ISO 8601).\n',
    );
    expect((await run('report --by month', { terminals: AT_TERMINAL })).stderr).toContain(
      'Months are in local time, ',
    );
  });

  it('prints a line per group and coin in a pipe, and CSV with a header even without swaps', async () => {
    const swaps = TWO_SWAPS;
    const run = await homeWith(swaps);
    expect((await run('report --share 0.4%')).stdout).toBe(
      [
        'group\tBTC_ETH\t2\t2\t2\t2\t0\t0\t0\t90\t120\t0',
        'group-coin\tBTC_ETH\tBTC\t0.3\t0\t0.0012\t\t\t\t0.0002',
        'group-coin\tBTC_ETH\tETH\t0\t5.000000000000000003\t\t6\t5.000000000000000003\t\t0.02',
        'total\t\t2\t2\t2\t2\t0\t0\t0\t90\t120\t0',
        'total-coin\t\tBTC\t0.3\t0\t0.0012\t\t\t\t0.0002',
        'total-coin\t\tETH\t0\t5.000000000000000003\t\t6\t5.000000000000000003\t\t0.02\n',
      ].join('\n'),
    );
    const csv = (await run('report --csv')).stdout.split('\r\n').map((line) => line.split(','));
    expect(csv[0]?.slice(0, 14)).toEqual(
      words(`line key count created funded paid failed refunded unknown doubtful secondsToSuccess.median
      secondsToSuccess.p95 deposit.BTC deposit.ETH`),
    );
    expect(csv.map(([line]) => line)).toEqual(['line', 'group', 'total', '']);
    expect(csv[2]?.slice(10, 16)).toEqual(['90', '120', '0.3', '0', '0', '5.000000000000000003']);
    const none = await run('report --csv --until 2000-01-01');
    expect(none.stdout).toMatch(/^line,key,count,.*\r\ntotal,,0,0,0,0,0,0,0,0,,\r\n$/);
    expect(none.stderr).toContain('Nothing in the ledger matches.');
  });

  it('draws bars on a terminal within 80 columns without rounding amounts', async () => {
    const { stdout } = await (await homeWith(TWO_SWAPS))('report --share 0.4%', { terminals: AT_TERMINAL });
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      ' PAIR                       SWAPS  CREATED  FUNDED  PAID      MEDIAN    P95',
      ' BTC_ETH  ████████████████      2        2       2     2  1 min 30 s  2 min',
      ' total                          2        2       2     2  1 min 30 s  2 min',
      '',
    ]);
    expect(stdout).toContain('5.000000000000000003');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('counts a swap with a mismatch and prints a note', async () => {
    const [swap] = TWO_SWAPS as [RandomSwap];
    const doubted = { ...swap, row: { ...swap.row, doubts: '["success_without_payout_tx"]' } };
    const { stdout, stderr } = await (await homeWith([doubted]))('report --json');
    expect((JSON.parse(stdout) as Report).total).toMatchObject({ paid: 1, doubtful: 1 });
    expect(stderr).toContain('one swap is counted but did not match what was agreed');
  });
});

/** Two paid swaps from BTC to ETH of one and two minutes. */
const TWO_SWAPS: readonly RandomSwap[] = [60_000, 120_000].map((milliseconds, index) => {
  const swap = randomSwap(index, seeded(3));
  const created = '2026-03-01T12:00:00.000Z';
  const side = (coin: string, amount: string, fee: string) => ({ coin, network: coin, amount, fee });
  const snapshot = (receive: string) => ({
    order: `O${index}`,
    status: 'success',
    statusCode: 4,
    final: true,
    type: 'float',
    createdAt: created,
    endedAt: new Date(Date.parse(created) + milliseconds).toISOString(),
    deposit: { ...side('BTC', index === 0 ? '0.1' : '0.2', '0.0001'), txId: 't' },
    receive: { ...side('ETH', receive, '0.01'), paidAmount: index === 0 ? '2.000000000000000003' : '3.0' },
  });
  const row = {
    ...swap.row,
    outcome: 'created',
    order_number: `O${index}`,
    requested_at: Date.parse(created),
    snapshot: JSON.stringify(snapshot('9')),
    first_snapshot: JSON.stringify(snapshot('3')),
  };
  return { ...swap, row };
});

const NO_FLAGS = { since: null, until: null, by: 'pair', share: null, csv: false };
itReads(reportCommand, 'report', [
  ['', NO_FLAGS],
  ['--by label:team --share 0.4% --csv', { ...NO_FLAGS, by: 'label:team', share: '0.4', csv: true }],
  ['--since 2026-01-31', { ...NO_FLAGS, since: Date.parse('2026-01-31T00:00:00Z') }],
  ['--by day --until 2026-01-31', { ...NO_FLAGS, by: 'day', until: Date.parse('2026-02-01T00:00:00Z') }],
  ['--csv', 'usage: --csv and --json cannot be combined.', { json: true }],
  [
    '--by pairs',
    "error: option '--by <what>' argument 'pairs' is invalid. Group by status, pair, day, week, month, profile or label:<key>. Did you mean pair?",
  ],
  [
    '--by label:',
    "error: option '--by <what>' argument 'label:' is invalid. Group by status, pair, day, week, month, profile or label:<key>.",
  ],
  [
    '--share 0.4',
    "error: option '--share <percentage>' argument '0.4' is invalid. Use a percentage from 0% to 100%, such as 1% or 0.5%.",
  ],
]);

const HOUR = 3_600_000;

it('report health shows swaps per pair, responses per endpoint and a test quote per pair', async () => {
  await inStory([], async ({ run, poll, here }) => {
    await poll(1, (swap) => withDeposit(swap));
    expect((await run(['status', 'NONE'])).code).not.toBe(0);
    const health = (...args: string[]) => run(['report', 'health', ...args, '--json']);
    const result = (await health('--probe')).json<HealthResult>();
    expect(result.groups).toMatchObject([{ key: 'BTC:BTC ETH:ETH', count: 1, paid: 0, stuck: 0 }]);
    const of = (name: string) => result.endpoints.find(({ endpoint }) => endpoint === name);
    expect(of('create-transaction')).toMatchObject({ requests: 1, refused: 0, unanswered: 0 });
    expect(of('get-transaction')?.requests).toBe(2);
    expect(result.probes).toMatchObject([{ pair: 'BTC:BTC ETH:ETH', error: null }]);
    const later = { terminals: AT_TERMINAL, now: () => Date.now() + 2 * HOUR };
    const screen = await here(['report', 'health', '--since', '1d'], later);
    expect(screen.stdout).toMatch(/^ PAIR +CREATED +PAID +STUCK .*\n BTC:BTC ETH:ETH +1 +0 \(0 %\) +1 /);
    expect((await run(['report', 'health', '--by', 'endpoint'])).stdout).toMatch(
      /^endpoint\tcreate-transaction\t1\t/,
    );
    expect((await run(['history', 'show', ORDER])).code).toBe(0);
  });
});

it.each(BOTH_DATABASES)(
  'report health reads created swaps by profile, environment and period on $kind',
  async ({ fresh }) => {
    const ledger = await openLedger(await fresh());
    const live = { ...OWNER, profile: 'live', environment: 'live' } as const;
    for (const [at, owner] of [OWNER, OWNER, live, OWNER].entries()) {
      const entry = await claimed(ledger, owner, INTENT, null, at);
      if (at !== 1) await ledger.created(entry.id, observed(`ORDER${at}`, 9, at), null);
    }
    const times = async (filter: Partial<FiguresFilter>) => {
      const found: number[] = [];
      const swaps = ledger.health.swaps({ ...EVERY_ENTRY, ...filter });
      for await (const { requestedAt } of swaps) found.push(requestedAt);
      return found;
    };
    expect(await times({})).toEqual([2, 0, 3]);
    expect(await times({ profile: 'live' })).toEqual([2]);
    expect(await times({ environment: 'sandbox' })).toEqual([0, 3]);
    expect(await times({ since: 2 })).toEqual([2, 3]);
    expect(await times({ until: 2 })).toEqual([0]);
    await ledger.close();
  },
);

import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import type { ReportedSwap } from '../../../../src/core/ledger/report/figures.ts';
import { addUp, type Grouping } from '../../../../src/core/ledger/report/report.ts';
import type { SwapFigures } from '../../../../src/core/ledger/report/swap-figures.ts';
import { percentilesInSeconds, type ReportGroup } from '../../../../src/core/ledger/report/tally.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { aDecimal } from '../../swap/decimals.ts';
import { claimed, INTENT, OWNER, observed } from '../entries.ts';
import { createdSwap, ledgerAt } from '../events/ledgers.ts';
import { fillRows, rowOf } from '../fill.ts';
import { openTables } from '../tables.ts';
import { expectedTotal } from './expected.ts';
import { randomSwap, seeded } from './random-swaps.ts';

BigNumber.config({ DECIMAL_PLACES: 2000, EXPONENTIAL_AT: 1e9 });

async function* paged(swaps: readonly ReportedSwap[]): AsyncGenerator<readonly ReportedSwap[]> {
  for (let first = 0; first < swaps.length; first += 3) yield swaps.slice(first, first + 3);
}

const aCoin = fc.constantFrom('BTC', 'ETH', null);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 9 });

const someFigures: fc.Arbitrary<SwapFigures> = fc.record({
  status: fc.constantFrom('success', 'success', 'refund', 'error', 'overdue', 'new', null),
  depositCoin: aCoin,
  receiveCoin: aCoin,
  labels: fc.constantFrom({}, { team: 'ops' }, { team: '' }),
  funded: fc.boolean(),
  doubtful: fc.boolean(),
  deposit: orNull(aDecimal),
  receive: orNull(aDecimal),
  promised: orNull(aDecimal),
  depositFee: orNull(aDecimal),
  receiveFee: orNull(aDecimal),
  durationMs: orNull(fc.nat()),
});

const aReportedSwap: fc.Arbitrary<ReportedSwap> = fc.record({
  profile: fc.constantFrom('shop', 'desk'),
  requestedAt: fc.integer({ min: 0, max: 400_000_000 }),
  outcome: fc.constantFrom('created', 'created', 'created', 'unknown', 'refused'),
  figures: someFigures,
});

const GROUPINGS: readonly Grouping[] = ['status', 'pair', 'day', 'week', 'month', 'profile', 'label:team'];

/** Amounts of one kind in all groups, by coin. */
function amountsIn(groups: readonly ReportGroup[], of: (group: ReportGroup) => readonly [string, string][]) {
  const sums: Record<string, BigNumber> = {};
  for (const [coin, amount] of groups.flatMap(of)) sums[coin] = (sums[coin] ?? new BigNumber(0)).plus(amount);
  return Object.fromEntries(Object.entries(sums).map(([coin, sum]) => [coin, sum.toFixed()]));
}

const KINDS: readonly ((group: ReportGroup) => readonly [string, string][])[] = [
  ({ volume }) => volume.map(({ coin, deposit }) => [coin, deposit]),
  ({ volume }) => volume.map(({ coin, receive }) => [coin, receive]),
  ({ share }) => share.map(({ coin, amount }) => [coin, amount]),
  ({ promised }) => promised.map(({ coin, promised: amount }) => [coin, amount]),
  ({ promised }) => promised.map(({ coin, paid }) => [coin, paid]),
  ({ refunds }) => refunds.map(({ coin, amount }) => [coin, amount]),
  ({ fees }) => fees.map(({ coin, amount }) => [coin, amount]),
];

describe('a report', () => {
  it('has the same exact total for any grouping', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aReportedSwap, { maxLength: 40 }),
        fc.constantFrom(...GROUPINGS),
        async (swaps, by) => {
          const { groups, total } = await addUp(paged(swaps), { by, days: 'utc', share: '0.4' });
          const paid = swaps
            .filter(({ outcome, figures }) => outcome === 'created' && figures.status === 'success')
            .map(({ figures }) => figures);
          const summed = (coin: string, side: 'deposit' | 'receive') =>
            paid
              .filter((swap) => swap[`${side}Coin`] === coin)
              .reduce((sum, swap) => sum.plus(swap[side] ?? 0), new BigNumber(0));
          for (const { coin, deposit, receive } of total.volume) {
            expect(deposit).toBe(summed(coin, 'deposit').toFixed());
            expect(receive).toBe(summed(coin, 'receive').toFixed());
          }
          for (const { coin, amount } of total.share)
            expect(amount).toBe(summed(coin, 'deposit').times('0.004').toFixed());
          for (const kind of KINDS) expect(amountsIn(groups, kind)).toEqual(amountsIn([total], kind));
          expect(total).toMatchObject({ key: null, count: swaps.length, paid: paid.length });
          for (const name of ['count', 'created', 'funded', 'paid', 'failed', 'refunded', 'unknown'] as const)
            expect(groups.reduce((sum, group) => sum + group[name], 0)).toBe(total[name]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sorts days by date and other groups by size, with a missing key last', async () => {
    const at = (requestedAt: number, labels: Record<string, string>, coins: Partial<SwapFigures> = {}) =>
      ({ profile: 'p', requestedAt, outcome: 'created', figures: { ...PLAIN, labels, ...coins } }) as const;
    const swaps = [
      at(3 * DAY, {}),
      at(DAY, { team: 'b' }),
      at(DAY, { team: 'a' }, { depositCoin: null }),
      at(2 * DAY, { team: 'b' }, { receiveCoin: null }),
    ];
    const keys = async (by: Grouping) => {
      const { groups } = await addUp(paged(swaps), { by, days: 'utc', share: null });
      return groups.map(({ key, count }) => `${count} of ${JSON.stringify(key)}`);
    };
    expect(await keys('day')).toEqual(['2 of "1970-01-02"', '1 of "1970-01-03"', '1 of "1970-01-04"']);
    expect(await keys('label:team')).toEqual(['2 of "b"', '1 of "a"', '1 of null']);
    expect(await keys('pair')).toEqual(['2 of "BTC_ETH"', '2 of null']);
    expect(await keys('label:toString')).toEqual(['4 of null']);
  });
});

const keyOf = async (day: string, by: Grouping) => {
  const swap = { profile: 'p', requestedAt: Date.parse(day), outcome: 'created', figures: PLAIN } as const;
  return (await addUp(paged([swap]), { by, days: 'utc', share: null })).groups[0]?.key;
};

it.each([
  ['2026-01-04T23:59:59.999Z', '2026-W01', '2026-01'],
  ['2026-01-05T00:00:00Z', '2026-W02', '2026-01'],
  // The days around New Year belong to the year of their Thursday.
  ['2025-12-29T00:00:00Z', '2026-W01', '2025-12'],
  ['2027-01-03T12:00:00Z', '2026-W53', '2027-01'],
  ['2027-01-04T00:00:00Z', '2027-W01', '2027-01'],
  ['2024-12-30T00:00:00Z', '2025-W01', '2024-12'],
  ['2024-02-29T00:00:00Z', '2024-W09', '2024-02'],
])('the ISO week and month of a swap created at %s are %s and %s', async (day, week, month) => {
  expect([await keyOf(day, 'week'), await keyOf(day, 'month')]).toEqual([week, month]);
});

const DAY = 86_400_000;
const PLAIN: SwapFigures = {
  status: 'new',
  depositCoin: 'BTC',
  receiveCoin: 'ETH',
  labels: {},
  funded: false,
  doubtful: false,
  deposit: '1',
  receive: '2',
  promised: null,
  depositFee: null,
  receiveFee: null,
  durationMs: null,
};

it.each([
  [[], null, null],
  [[1500], 1.5, 1.5],
  [[4000, 1000], 2.5, 4],
  [[3000, 1000, 2000], 2, 3],
  [Array.from({ length: 100 }, (_, index) => (100 - index) * 1000), 50.5, 95],
  [Array.from({ length: 101 }, (_, index) => index * 1000), 50, 95],
])('percentilesInSeconds returns the median $1 and the p95 $2 of $0', (times, median, p95) => {
  expect(percentilesInSeconds(times)).toEqual({ median, p95 });
});

describe.each(BOTH_DATABASES)('the figures of a ledger on $kind', ({ fresh }) => {
  it('are read in pages, each swap once, and add up exactly', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const random = seeded(7);
    const draw = (index: number) => randomSwap(index, random, index % 10 === 0 ? 'sandbox' : 'live');
    const swaps = Array.from({ length: 300 }, (_, index) => draw(index));
    await fillRows(location, swaps.length, (index) => (swaps[index] as (typeof swaps)[number]).row);
    const live = swaps.filter(({ row }) => row.environment === 'live');
    for (const size of [1, 7, 1000]) {
      const pages = ledger.figures.pages({ ...EVERY_ENTRY, environment: 'live' }, size);
      const { total } = await addUp(pages, { by: 'pair', days: 'utc', share: '0.4' });
      expect(total).toEqual(expectedTotal(live, '0.004'));
    }
  });

  it('leave out a damaged swap and report it once', async () => {
    const location = await fresh();
    const reported: string[] = [];
    const ledger = await ledgerAt(location, ({ message }) => reported.push(message));
    const good = rowOf(0, false);
    const broken = { ...rowOf(1, false), snapshot: good.snapshot?.replace('"0.1', '"x0.1') ?? null };
    await fillRows(location, 2, (index) => (index === 0 ? good : broken));
    const request = { by: 'day', days: 'utc', share: null } as const;
    for (let round = 0; round < 2; round += 1)
      expect((await addUp(ledger.figures.pages(EVERY_ENTRY), request)).total.count).toBe(1);
    const words = 'order ORDER1 (entry id-1); an amount cannot be read';
    expect(reported).toEqual([expect.stringContaining(words)]);
  });
});

async function keptFigures(location: string): Promise<readonly (string | null)[]> {
  const database = await openTables(location);
  const rows = await database.kysely
    .selectFrom('intents')
    .select('figures')
    .orderBy('requested_at')
    .execute();
  await database.close();
  return rows.map(({ figures }) => figures);
}

const groupsOf = async (ledger: Ledger, by: Grouping) =>
  (await addUp(ledger.figures.pages(EVERY_ENTRY), { by, days: 'utc', share: null })).groups;

const SUCCESS = observed('AAAAAA', 4, 5);

describe.each(BOTH_DATABASES)('the stored figures of a ledger on $kind', ({ fresh }) => {
  it('are updated with each step of a create and each poll', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const entry = await claimed(ledger, OWNER, INTENT, 'k', 1);
    const seen = async () => JSON.parse((await keptFigures(location))[0] ?? '""') as unknown[];
    expect(await seen()).toEqual(expect.arrayContaining([null, 'BTC', 'XRP', {}]));
    await ledger.settle(entry.id, { outcome: 'refused', reason: 'no', at: 1 });
    await ledger.claim(OWNER, { ...INTENT, labels: { team: 'ops' } }, 'k', 1);
    expect(await seen()).toEqual(expect.arrayContaining([null, 'BTC', 'XRP', { team: 'ops' }]));
    await ledger.created(entry.id, observed('AAAAAA', 9, 2), null);
    expect(await seen()).toEqual(expect.arrayContaining(['new', '250.000001', { team: 'ops' }]));
    await ledger.seen(OWNER, SUCCESS);
    expect(await seen()).toEqual(expect.arrayContaining(['success', '250.000001', { team: 'ops' }]));
    expect(await groupsOf(ledger, 'pair')).toMatchObject([{ count: 1, created: 1, paid: 1 }]);
  });

  it('are left empty if labels make them too long for a PostgreSQL index, and reports still count the swap', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const names = Array.from({ length: 20 }, (_, index) => `label-${index}`);
    const labels = Object.fromEntries(names.map((name) => [name, '字'.repeat(256)]));
    const entry = await claimed(ledger, OWNER, { ...INTENT, labels }, null, 1);
    await ledger.created(entry.id, SUCCESS, null);
    for (const by of ['label:label-0', 'label:label-19'] as const)
      expect(await groupsOf(ledger, by)).toMatchObject([{ key: '字'.repeat(256), paid: 1 }]);
    expect(await keptFigures(location)).toEqual(['']);
  });
});

it('a report on a ledger file skips a row with a damaged time and reports it', async () => {
  const location = await BOTH_DATABASES[0].fresh();
  const reported: string[] = [];
  const ledger = await ledgerAt(location, ({ message }) => reported.push(message));
  await createdSwap(ledger, 'AAAAAA');
  await createdSwap(ledger, 'BBBBBB');
  tamper(location, `update intents set requested_at = 'yesterday' where order_number = 'AAAAAA'`);
  expect(await groupsOf(ledger, 'day')).toMatchObject([{ key: '1970-01-01', count: 1 }]);
  expect(reported).toEqual([expect.stringContaining('order AAAAAA')]);
});

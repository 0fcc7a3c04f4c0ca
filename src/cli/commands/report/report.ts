import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { nearestWords } from '../../../base/suggest.ts';
import type { Visible } from '../../../base/text.ts';
import { rfc3339OrNull, secondsWords, zoneName } from '../../../base/time.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import {
  addUp,
  CALENDAR_GROUPINGS,
  type Grouping,
  isByCalendar,
  type Report,
} from '../../../core/ledger/report/report.ts';
import type { ReportGroup } from '../../../core/ledger/report/tally.ts';
import { checkLabel } from '../../../core/swap/labels.ts';
import type { Context } from '../../context.ts';
import { csvText } from '../../terminal/encode.ts';
import type { Cell, View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { layout, renderTable, tableWidth } from '../../terminal/table.ts';
import { paragraphs } from '../../views/columns.ts';
import { noteIncludedSwaps, reportFilter } from '../shared/accounts.ts';
import * as args from '../shared/arguments.ts';
import { healthCommand } from './health.ts';

export function reportCommand(report: Command, context: () => Context, run = runReport): void {
  report
    .description(
      'Total the swaps in the local ledger: number created, funded and paid, volume, fees and times. Only live swaps, unless there are none.',
    )
    .option('--since <time>', args.SINCE)
    .option('--until <time>', args.UNTIL)
    .addOption(
      new Option('--by <what>', 'group by status, pair, day, week, month, profile or label:<key>')
        .argParser(groupingArgument)
        .default('pair'),
    )
    .option(
      '--share <percentage>',
      'your share of the deposits of paid swaps, such as 0.4%; not rounded',
      args.percentArgument,
    )
    .option('--csv', 'print CSV with a header, a line per group and a total')
    .addHelpText(
      'after',
      '\nPaid swaps ended with a payout; only these count toward volume, times and share. Failed swaps ended overdue or in error.\n\nExamples:\n  $ swapctl report --by day --since 7d\n  $ swapctl report --by month --since 2026-01-01\n  $ swapctl report --by label:team --share 0.4%\n  $ swapctl report -p shop --by status --json | jq .total',
    )
    .action((flags: args.Flags) => run(context(), reportOptions(context(), flags)));
  report.helpCommand(false);
  healthCommand(
    report.command('health').summary('show outcomes, times and failed requests of the service'),
    context,
  );
}

function reportOptions(context: Context, flags: args.Flags) {
  const { text, on } = args.readFlags(flags);
  const csv = on('csv');
  if (csv && context.flags.json === true) throw new UsageError('--csv and --json cannot be combined.');
  const period = args.periodOption(context, flags, csv ? 'utc' : args.dayZone(context));
  return { ...period, by: (text('by') ?? 'pair') as Grouping, share: text('share'), csv };
}

/** Prints the totals of the ledger without any request. */
export async function runReport(context: Context, options: ReturnType<typeof reportOptions>): Promise<void> {
  const { streams } = context;
  const { since, until, by, share, csv } = options;
  const filter = await reportFilter(context, { since, until });
  const { figures, audit } = await context.ledger();
  const days = csv ? 'utc' : args.dayZone(context);
  const sums = await addUp(figures.pages(filter), { by, days, share });
  const report = {
    since: rfc3339OrNull(since),
    until: rfc3339OrNull(until),
    ...sums,
    environment: filter.environment,
    profile: filter.profile,
    auditHead: headText(await audit.head()),
  };
  if (csv) await streams.write(csvText(reportLines(report)));
  else await streams.print(reportView(report));
  noteIncludedSwaps(context, filter);
  if (isByCalendar(by)) {
    const periods = `${by.slice(0, 1).toUpperCase()}${by.slice(1)}s`;
    streams.note(
      `${periods} are in ${days === 'local' ? `local time, ${zoneName(context.now())}` : 'UTC'}${by === 'week' ? ', and start on Monday (ISO 8601)' : ''}.`,
    );
  }
  const { count, doubtful } = report.total;
  if (count === 0) streams.note('Nothing in the ledger matches.');
  if (doubtful > 0)
    await streams.warn(
      `${doubtful === 1 ? 'one swap is' : `${doubtful} swaps are`} counted but did not match what was agreed: see \`swapctl status --attention\`.`,
    );
}

const GROUPINGS = ['status', 'pair', ...CALENDAR_GROUPINGS, 'profile'] as const;
const LABEL = 'label:';

function groupingArgument(text: string): Grouping {
  const found = GROUPINGS.find((each) => each === text);
  if (found !== undefined) return found;
  if (text.startsWith(LABEL) && checkLabel(`${text.slice(LABEL.length)}=`).ok) return text as Grouping;
  const [near] = nearestWords(GROUPINGS, text.slice(0, 40));
  throw new InvalidArgumentError(
    `Group by ${GROUPINGS.join(', ')} or label:<key>.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

function reportView(report: Report): View {
  return {
    json: () => report,
    rows: () => [...rowsOf('group', report.groups), ...rowsOf('total', [report.total])],
    screen: async (style, width) => {
      if (report.total.count === 0) return '';
      return paragraphs([await countsTable(report, style, width), await coinsTable(report, style, width)]);
    },
  };
}

/** A report as lines for CSV: one per group, then the total. Each coin has its own columns, the same in all lines. */
function reportLines({ groups, total }: Report): readonly object[] {
  const coins = sumsByCoin(total).map(({ coin }) => coin);
  const lines = [...groups.map((group) => ['group', group] as const), ['total', total] as const];
  return lines.map(([line, group]) => {
    const { volume, share, promised, refunds, fees, secondsToSuccess, doubtful, ...counts } = group;
    const sums = new Map(sumsByCoin(group).map((each) => [each.coin, each]));
    const amounts = AMOUNTS.map((name) => [
      name,
      Object.fromEntries(coins.map((coin) => [coin, sums.get(coin)?.[name] ?? null])),
    ]);
    return { line, ...counts, doubtful, secondsToSuccess, ...Object.fromEntries(amounts) };
  });
}

/** Sums of a coin in a group, in the order of the columns, with their titles. */
const TITLES = {
  deposit: 'DEPOSITS',
  receive: 'PAYOUTS',
  share: 'SHARE',
  promised: 'PROMISED',
  paidOfPromised: 'PAID',
  refunds: 'REFUNDED',
  fees: 'FEES',
};
const AMOUNTS = Object.keys(TITLES) as (keyof typeof TITLES)[];

/** Sums of one coin; null if there is nothing. */
type CoinSums = { readonly coin: string } & { readonly [name in keyof typeof TITLES]: string | null };

function sumsByCoin({ volume, share, promised, refunds, fees }: ReportGroup): CoinSums[] {
  const coins = [...volume, ...share, ...promised, ...refunds, ...fees].map(({ coin }) => coin);
  const of = <T extends { readonly coin: string }>(list: readonly T[], coin: string) =>
    list.find((each) => each.coin === coin);
  return [...new Set(coins)].sort().map((coin) => ({
    coin,
    deposit: of(volume, coin)?.deposit ?? null,
    receive: of(volume, coin)?.receive ?? null,
    share: of(share, coin)?.amount ?? null,
    promised: of(promised, coin)?.promised ?? null,
    paidOfPromised: of(promised, coin)?.paid ?? null,
    refunds: of(refunds, coin)?.amount ?? null,
    fees: of(fees, coin)?.amount ?? null,
  }));
}

/** Rows for a pipe: one of counts for each group, and one for each of its coins. */
function* rowsOf(name: 'group' | 'total', groups: readonly ReportGroup[]): Generator<readonly Cell[]> {
  for (const group of groups) {
    const { median, p95 } = group.secondsToSuccess;
    yield [name, group.key, ...COUNTS.map((each) => group[each]), median, p95, group.doubtful];
    for (const sums of sumsByCoin(group))
      yield [`${name}-coin`, group.key, sums.coin, ...AMOUNTS.map((amount) => sums[amount])];
  }
}

const NO_GROUP_LABEL = '(none)';
const MAX_BAR = 16;
const MIN_BAR = 4;

/** Columns of counts; the last three are left out where they are all zero. */
const COUNTS = ['count', 'created', 'funded', 'paid', 'failed', 'refunded', 'unknown'] as const;
const ALWAYS_SHOWN = 4;

/** The swaps of each group by progress. A bar uses the room that is left: paid ones are solid, the others light. */
async function countsTable({ by, groups, total }: Report, style: Style, width: number): Promise<Visible> {
  const counts = COUNTS.filter((each, index) => index < ALWAYS_SHOWN || total[each] > 0);
  const cells = (name: string, group: ReportGroup) => [
    name,
    ...counts.map((each) => String(group[each])),
    secondsText(group.secondsToSuccess.median),
    secondsText(group.secondsToSuccess.p95),
  ];
  const named = [...groups.map((group) => cells(group.key ?? NO_GROUP_LABEL, group)), cells('total', total)];
  const right = (title: string) => ({ title, align: 'right' as const });
  const columns = [
    { title: by.toUpperCase(), paint: style.bold, wraps: true },
    ...counts.map((each) => right(each === 'count' ? 'SWAPS' : each.toUpperCase())),
    right('MEDIAN'),
    right('P95'),
  ];
  const withBar = [...columns, { title: ' '.repeat(MIN_BAR) }];
  const titles = withBar.map(({ title }) => ({ title }));
  const widths = layout(titles, named, width);
  if (widths === null || !style.hasBlocks) return renderTable(columns, named, style, width);
  const room = Math.min(MAX_BAR, width - tableWidth(widths) + MIN_BAR);
  const most = groups.reduce((most, { count }) => Math.max(most, count), 1);
  const bars = [...groups.map((group) => barOf(group, most, room)), ''];
  const withBars = named.map(([name = '', ...rest], index) => [name, bars[index] ?? '', ...rest]);
  const [first, ...others] = columns;
  const all = [first ?? right(''), { title: '', paint: style.green }, ...others];
  return renderTable(all, withBars, style, width);
}

function barOf({ count, paid }: ReportGroup, most: number, room: number): string {
  const length = (part: number) => Math.round((part / most) * room);
  const full = '█'.repeat(length(paid));
  return full + '░'.repeat(Math.max(count > 0 && full === '' ? 1 : 0, length(count) - full.length));
}

/** The amounts of each group, a row for each coin; only the total if there is one group. */
async function coinsTable({ by, groups, total }: Report, style: Style, width: number): Promise<Visible | ''> {
  const named =
    groups.length === 1 ? [] : groups.map((group) => [group.key ?? NO_GROUP_LABEL, group] as const);
  const rows = [...named, ['total', total] as const].flatMap(([name, group]) =>
    sumsByCoin(group).map((sums) => ({ name, sums })),
  );
  if (rows.length === 0) return '';
  const columns = AMOUNTS.filter((name) => rows.some(({ sums }) => sums[name] !== null));
  return renderTable(
    [
      { title: by.toUpperCase(), paint: style.bold, wraps: true },
      { title: 'COIN' },
      ...columns.map((column) => ({ title: TITLES[column], align: 'right' as const })),
    ],
    rows.map(({ name, sums }) => [name, sums.coin, ...columns.map((column) => sums[column] ?? '')]),
    style,
    width,
  );
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '' : secondsWords(seconds);
}

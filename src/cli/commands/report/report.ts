import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { nearestWords } from '../../../base/suggest.ts';
import { rfc3339OrNull, zoneName } from '../../../base/time.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import {
  addUp,
  CALENDAR_GROUPINGS,
  type Grouping,
  isByCalendar,
} from '../../../core/ledger/report/report.ts';
import { checkLabel } from '../../../core/swap/labels.ts';
import type { Context } from '../../context.ts';
import { csvText } from '../../terminal/encode.ts';
import { accountsFilter, noteAccounts } from '../shared/accounts.ts';
import {
  dayZone,
  type Flags,
  percentArgument,
  periodOption,
  readFlags,
  SINCE,
  UNTIL,
} from '../shared/arguments.ts';
import { healthCommand } from './health.ts';
import { reportLines, reportView } from './report-view.ts';

export function reportCommand(report: Command, context: () => Context, run = runReport): void {
  report
    .description(
      'Total the swaps in the local ledger: number created, funded and paid, volume, fees and times. Only live swaps, unless there are none.',
    )
    .option('--since <time>', SINCE)
    .option('--until <time>', UNTIL)
    .addOption(
      new Option('--by <what>', 'group by status, pair, day, week, month, profile or label:<key>')
        .argParser(groupingArgument)
        .default('pair'),
    )
    .option(
      '--share <percentage>',
      'your share of the deposits of paid swaps, such as 0.4%; not rounded',
      percentArgument,
    )
    .option('--csv', 'print CSV with a header, a line per group and a total')
    .addHelpText(
      'after',
      '\nPaid swaps ended with a payout; only these count toward volume, times and share. Failed swaps ended overdue or in error.\n\nExamples:\n  $ swapctl report --by day --since 7d\n  $ swapctl report --by month --since 2026-01-01\n  $ swapctl report --by label:team --share 0.4%\n  $ swapctl report -p shop --by status --json | jq .total',
    )
    .action((flags: Flags) => {
      const started = context();
      return run(started, reportOptions(started, flags));
    });
  report.helpCommand(false);
  healthCommand(
    report.command('health').summary('show outcomes, times and failed requests of the service'),
    context,
  );
}

function reportOptions(context: Context, flags: Flags) {
  const { text, on } = readFlags(flags);
  const csv = on('csv');
  if (csv && context.flags.json === true) throw new UsageError('--csv and --json cannot be combined.');
  const period = periodOption(context, flags, csv ? 'utc' : dayZone(context));
  return { ...period, by: (text('by') ?? 'pair') as Grouping, share: text('share'), csv };
}

/** Prints the totals of the ledger without any request. */
export async function runReport(context: Context, options: ReturnType<typeof reportOptions>): Promise<void> {
  const { streams } = context;
  const { since, until, by, share, csv } = options;
  const filter = await accountsFilter(context, { since, until });
  const { figures, audit } = await context.ledger();
  const days = csv ? 'utc' : dayZone(context);
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
  noteAccounts(context, filter);
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

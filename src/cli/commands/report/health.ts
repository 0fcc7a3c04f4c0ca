import { type Command, Option } from 'commander';
import type { Visible } from '../../../base/text.ts';
import { rfc3339, secondsWords } from '../../../base/time.ts';
import {
  type EndpointHealth,
  endpointHealth,
  type HealthGroup,
  healthGroups,
  type Probe,
  probePairs,
  USUAL_PERIOD_MS,
} from '../../../core/swaps/health.ts';
import type { Context } from '../../context.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { type ItemColumn, renderItems } from '../../terminal/table.ts';
import { paragraphs } from '../../views/columns.ts';
import { noteIncludedSwaps, type ReportFilter, reportFilter } from '../shared/accounts.ts';
import { type Flags, periodOption, readFlags, SINCE } from '../shared/arguments.ts';

export function healthCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Show how reliable the service is, from the local ledger: swaps paid, stuck, refunded, failed and mismatched, times to success, and failed requests by endpoint. Only live swaps, unless there are none.',
    )
    .option('--since <time>', SINCE, '7d')
    .addOption(
      new Option('--by <what>', 'how to group swaps')
        .choices(['pair', 'network', 'endpoint'])
        .default('pair'),
    )
    .option('--probe', 'also request a quote for each pair in use (at most 20)')
    .addHelpText(
      'after',
      '\nA swap is stuck if its deposit was seen and it has been open for more than an hour and more than three times the usual time. The usual time is the median of the 30 days before. Responses are counted by commands that use the ledger, except for the built-in sandbox.\n\nExamples:\n  $ swapctl report health\n  $ swapctl report health --since 1d --by network\n  $ swapctl report health --probe --json | jq ".groups[] | select(.stuck > 0)"',
    )
    .action((flags: Flags) => runHealth(context(), flags));
}

/** Prints the health of a service; without `--probe` it sends no request. */
async function runHealth(context: Context, flags: Flags): Promise<void> {
  const { text, on } = readFlags(flags);
  const since = periodOption(context, flags).since ?? context.now();
  const by = (text('by') ?? 'pair') as 'pair' | 'network' | 'endpoint';
  const filter = await reportFilter(context, { since, until: null });
  const result = await healthOf(context, filter, since, { by, isProbed: on('probe') });
  await context.streams.print(healthView(result));
  noteIncludedSwaps(context, filter);
  if (result.groups.length === 0 && result.endpoints.length === 0)
    context.streams.note('Nothing in the ledger matches.');
}

export type HealthResult = Awaited<ReturnType<typeof healthOf>>;

/** A service's health. `groups` is empty by endpoint, `probes` null without `--probe`, `profile` null for all. */
async function healthOf(
  context: Context,
  { profile, environment }: ReportFilter,
  since: number,
  { by, isProbed }: { readonly by: 'pair' | 'network' | 'endpoint'; readonly isProbed: boolean },
) {
  const { health } = await context.ledger();
  const swaps = (from: number) => health.swaps({ profile, environment, since: from, until: null });
  const account = profile === null ? null : (await context.owner()).account;
  const period = { since, now: context.now() };
  return {
    since: rfc3339(since),
    by,
    groups: by === 'endpoint' ? [] : await healthGroups(swaps(since - USUAL_PERIOD_MS), by, period),
    endpoints: endpointHealth(await health.answers(account, since)),
    probes: isProbed ? await probePairs(context, swaps(since)) : null,
    environment,
    profile,
  };
}

/** Times to success longer than this many times the usual are marked. */
const SLOW_TIMES = 2;

function healthView(result: HealthResult): View {
  const { groups, endpoints, probes } = result;
  return {
    json: () => result,
    rows: () => [
      ...groups.map((group) => ['group', ...Object.values(group)]),
      ...endpoints.map((endpoint) => ['endpoint', ...Object.values(endpoint)]),
      ...(probes ?? []).map((probe) => ['probe', ...Object.values(probe)]),
    ],
    screen: async (style, width) =>
      paragraphs([
        await renderItems(groups, groupColumns(result, style), style, width),
        await renderItems(endpoints, endpointColumns(style), style, width),
        await renderItems(probes ?? [], probeColumns(style), style, width),
      ]),
  };
}

function groupColumns({ by }: HealthResult, style: Style): readonly ItemColumn<HealthGroup>[] {
  const isBad = (text: Visible) => (text.trim() === '0' ? style.dim(text) : style.yellow(text));
  return [
    { title: by === 'network' ? 'NETWORK' : 'PAIR', paint: style.bold, cell: ({ key }) => key },
    { title: 'CREATED', align: 'right', cell: ({ count }) => String(count) },
    {
      title: 'PAID',
      align: 'right',
      cell: ({ paid, count }) => `${paid} (${percent(paid, count)})`,
      short: ({ paid, count }) => percent(paid, count),
    },
    { title: 'STUCK', align: 'right', paint: isBad, cell: ({ stuck }) => String(stuck) },
    { title: 'REFUNDED', align: 'right', paint: isBad, cell: ({ refunded }) => String(refunded) },
    { title: 'FAILED', align: 'right', paint: isBad, cell: ({ failed }) => String(failed) },
    { title: 'MISMATCH', align: 'right', paint: isBad, cell: ({ doubtful }) => String(doubtful) },
    {
      title: 'TIME',
      paint: (text) => (text.trim().endsWith('!') ? style.yellow(text) : text),
      cell: timeText,
    },
  ];
}

/** The median time to success, with the usual one; an exclamation mark where it is much longer. */
function timeText({ medianSeconds, usualSeconds }: HealthGroup): string {
  if (medianSeconds === null) return '-';
  if (usualSeconds === null) return secondsWords(medianSeconds);
  const mark = medianSeconds > SLOW_TIMES * usualSeconds ? '!' : '';
  return `${secondsWords(medianSeconds)}, usually ${secondsWords(usualSeconds)}${mark}`;
}

function endpointColumns(style: Style): readonly ItemColumn<EndpointHealth>[] {
  const of = (part: number, { requests }: EndpointHealth) =>
    part === 0 ? '0' : `${part} (${percent(part, requests)})`;
  return [
    { title: 'ENDPOINT', paint: style.bold, cell: ({ endpoint }) => endpoint },
    { title: 'REQUESTS', align: 'right', cell: ({ requests }) => String(requests) },
    { title: 'REFUSED', align: 'right', cell: (each) => of(each.refused, each) },
    { title: '429', align: 'right', cell: (each) => of(each.limited, each) },
    { title: '5XX', align: 'right', cell: (each) => of(each.failed, each) },
    { title: 'NO ANSWER', align: 'right', cell: (each) => of(each.unanswered, each) },
  ];
}

function probeColumns(style: Style): readonly ItemColumn<Probe>[] {
  return [
    { title: 'PROBE', paint: style.bold, cell: ({ pair }) => pair },
    { title: 'RATE', cell: ({ rate, error }) => rate ?? error ?? '' },
    { title: 'MS', align: 'right', cell: ({ milliseconds }) => String(milliseconds) },
  ];
}

function percent(part: number, whole: number): string {
  return `${Math.round((part * 1000) / whole) / 10} %`;
}

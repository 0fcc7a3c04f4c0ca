import { type Command, Option } from 'commander';
import { rfc3339 } from '../../../base/time.ts';
import { endpointHealth, healthGroups, probePairs, USUAL_PERIOD_MS } from '../../../core/swaps/health.ts';
import type { Context } from '../../context.ts';
import { accountsFilter, noteAccounts } from '../shared/accounts.ts';
import { dayZone, type Flags, readFlags, SINCE, timeArgument } from '../shared/arguments.ts';
import { type HealthResult, healthView } from './health-view.ts';

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
  const since = timeArgument(text('since'), 'start', context.now(), dayZone(context)) ?? context.now();
  const by = (text('by') ?? 'pair') as HealthResult['by'];
  const filter = await accountsFilter(context, { since, until: null });
  const { profile, environment } = filter;
  const { health } = await context.ledger();
  const swaps = (from: number) => health.swaps({ profile, environment, since: from, until: null });
  const account = profile === null ? null : (await context.owner()).account;
  const result = {
    since: rfc3339(since),
    by,
    groups:
      by === 'endpoint'
        ? []
        : await healthGroups(swaps(since - USUAL_PERIOD_MS), by, { since, now: context.now() }),
    endpoints: endpointHealth(await health.answers(account, since)),
    probes: on('probe') ? await probePairs(context, swaps(since)) : null,
    environment,
    profile,
  };
  await context.streams.print(healthView(result));
  noteAccounts(context, filter);
  if (result.groups.length === 0 && result.endpoints.length === 0)
    context.streams.note('Nothing in the ledger matches.');
}

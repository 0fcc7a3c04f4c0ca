import type { Command } from 'commander';
import { restated, SwapctlError, UsageError } from '../../../base/errors.ts';
import { readTime, relativeTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import { ATTENTION_COLUMNS, arranged, listView, STATUS_COLUMNS } from '../../views/columns.ts';
import { waitingView } from '../../views/created.ts';
import { swapsView, swapView } from '../../views/swap.ts';
import * as args from '../shared/arguments.ts';
import {
  namedFailure,
  noteOld,
  type PolledSince,
  pollSwaps,
  runAttention,
  whatNext,
} from '../shared/attention.ts';
import { listingArgument, listingOptions } from '../shared/listing.ts';
import { openOrders, type ProfileOrder, profileOrders } from '../shared/profile-orders.ts';
import { requestBudget, usualQr } from '../shared/stored-setting.ts';
import { exitStatusError, type WatchedProfiles, type WatchOptions, watchSwaps } from '../shared/watch.ts';

export function statusCommand(command: Command, context: () => Context, run = runStatus): void {
  listingOptions(command, 'order,status,seenAt')
    .description(
      'Show one swap, several, or (with no order) every open swap of the ledger, of all profiles unless -p names one.',
    )
    .argument('[order...]', args.ORDER)
    .option('-w, --watch', 'watch until every swap is final')
    .option(
      '-i, --interval <seconds>',
      'seconds between checks of a swap (default: 10)',
      args.secondsArgument,
    )
    .option('--budget <limit>', 'request budget, such as 60/60s', args.budgetArgument)
    .option(
      '--max-age <duration>',
      'do not poll a swap that was polled within this time (default: 30s, or 5m with --attention)',
      maxAgeArgument,
    )
    .option('--exit-status', 'exit with 9 if a swap failed, with 8 if one is not final')
    .option('--attention', 'only swaps that need attention; exit with 8 if there are any')
    .option(
      '--qr',
      'show the QR code of a swap that awaits its deposit (default, unless the setting qr is off)',
    )
    .option('--no-qr', 'show no QR code')
    .addHelpText(
      'after',
      '\nOn a terminal, a single swap that awaits its deposit is shown as `create` showed it: what to send, where and by when.\nUp to five named orders are always polled. Otherwise, swaps polled within --max-age are shown from the ledger, and the rest are polled within the request budget, least recently polled first. Swaps that cannot be polled within --timeout (default: 60s) are shown as last polled, with their age.\nWith --watch, --timeout stops watching, with exit code 8. On a terminal, one swap is redrawn in place, and several are a board with the most urgent first; in a pipe, each change is one line.\n\nExamples:\n  $ swapctl status KQWZPA\n  $ swapctl status KQWZPA --watch --timeout 2h --exit-status\n  $ swapctl status --attention\n  $ swapctl status --json | jq -r ".[].order"',
    )
    .action((orders: string[], flags: args.Flags) => run(context(), statusOptions(context(), orders, flags)));
}

/** Parsed arguments of `swapctl status`; null for a flag that was not given, so that the stored setting applies. */
type StatusOptions = ReturnType<typeof statusOptions>;

function statusOptions(context: Context, orders: readonly string[], flags: args.Flags) {
  const { number, on, choice } = args.readFlags(flags);
  const watch = on('watch') ? { intervalMs: number('interval') } : null;
  if (flags['interval'] !== undefined && watch === null) throw new UsageError('--interval requires --watch.');
  if (flags['maxAge'] !== undefined && watch !== null)
    throw new UsageError('--max-age cannot be combined with --watch, which polls every swap.');
  const attention = on('attention');
  if (attention && (watch !== null || on('exitStatus')))
    throw new UsageError('--attention cannot be combined with --watch or --exit-status.');
  const isArranged = ['columns', 'sort', 'reverse'].some((name) => flags[name] !== undefined);
  if (isArranged && watch !== null)
    throw new UsageError('--columns, --sort and --reverse cannot be combined with --watch.');
  const names = attention ? ATTENTION_COLUMNS : STATUS_COLUMNS;
  return {
    orders: [...new Set(orders.map(args.swapArgument))],
    watch,
    budget: requestBudget(context, flags),
    maxAgeMs: number('maxAge'),
    exitStatus: on('exitStatus'),
    attention,
    qr: choice('qr'),
    listing: listingArgument(flags, names, [], context.flags.json === true),
  };
}

/** Reads a duration, or 0 for an age that nothing has. */
function maxAgeArgument(text: string): number {
  return /^0[smhd]$/.test(text) ? 0 : args.durationArgument(text);
}

const MAX_AGE_MS = 30_000;

/** Prints or follows swaps. Throws `swap_failed`, `still_open` or `attention` if the flags ask for it. */
export async function runStatus(context: Context, options: StatusOptions): Promise<void> {
  const { maxAgeMs, watch, budget, listing } = options;
  if (options.attention) return runAttention(context, options.orders, { maxAgeMs, budget, listing });
  const named = options.orders.length > 0;
  const orders = named ? await profileOrders(context, options.orders) : await openOrders(context);
  if (orders.length === 0) {
    // A watch is a line per change, not a list.
    if (watch === null) await context.streams.print(swapsView([], 0, 0));
    return context.streams.note(
      'No open swap in the ledger. Create one with `swapctl create`, or name an order.',
    );
  }
  const [{ ports: first } = { ports: context }] = orders;
  // With only one profile, there is nothing to show if it cannot be polled.
  if (orders.every(({ ports }) => ports === first)) await first.service();
  if (watch !== null) return watchOrders(context, orders, { ...options, watch });
  const ages = { maxAgeMs, usualMaxAgeMs: MAX_AGE_MS };
  const polled = await pollSwaps(context, orders, options.orders, { ...ages, budget });
  const [failed, ...others] = polled.failures;
  if (polled.swaps.length > 0 || failed === undefined)
    await context.streams.print(await viewOf(context, polled, options));
  noteOld(context, polled, budget);
  for (const { order, error } of others) await context.streams.warn(`order ${order}: ${error.message}`);
  if (failed !== undefined) throw orders.length === 1 ? failed.error : namedFailure(failed);
  const swaps = polled.swaps.map(({ swap }) => swap);
  const verdict = exitStatusError(swaps, options.exitStatus, false);
  if (verdict !== null) throw verdict;
}

async function watchOrders(
  context: Context,
  orders: readonly ProfileOrder[],
  options: StatusOptions & { readonly watch: Pick<WatchOptions, 'intervalMs'> },
): Promise<void> {
  const { watch, budget } = options;
  const named = options.orders.length > 0;
  try {
    const { swaps, failures } = await watchSwaps(context, watchedProfiles(orders, named), {
      intervalMs: watch.intervalMs,
      budget,
      forgiving: !named,
    });
    const [failed] = failures;
    if (failed !== undefined) throw orders.length === 1 ? failed.error : namedFailure(failed);
    const verdict = exitStatusError(swaps, options.exitStatus, true);
    if (verdict !== null) throw verdict;
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code !== 'still_open') throw error;
    // The usual advice is this very command.
    throw restated(error, error.message, {
      hint: 'Use a longer --timeout, or none to watch until every swap is final.',
      actions: [],
    });
  }
}

/** A list, or the only named swap; while it waits for its deposit, it is shown as after `create`. */
async function viewOf(context: Context, polled: PolledSince, { orders, qr, listing }: StatusOptions) {
  const { startedAt } = polled;
  const clocks = new Map(polled.swaps.map(({ swap, now }) => [swap, now]));
  const [first] = polled.swaps;
  const now = context.now();
  if (orders.length !== 1 || listing.columns !== null || first === undefined) {
    const swaps = arranged([...clocks.keys()], listing);
    const times = swaps.map((swap) => clocks.get(swap) ?? now);
    const everybody = orders.length === 0 && context.onlyProfile === null;
    return listView(swaps, listing, swapsView(swaps, startedAt, now, times, everybody));
  }
  const isPolled = (readTime(first.swap.seenAt) ?? 0) >= startedAt;
  const next = await whatNext(context, first);
  if (first.swap.fundable && isPolled)
    return waitingView({ swap: first.swap, notices: [], qr: qr ?? usualQr(context), now: first.now }, next);
  return swapView(first.swap, first.now, {
    ...next,
    lastPolled: isPolled ? null : relativeTime(first.swap.seenAt, now),
  });
}

/** The orders of each profile; if none was named, all open ones, including later ones. */
function watchedProfiles(orders: readonly ProfileOrder[], named: boolean): WatchedProfiles {
  const profiles = new Map<Context, string[]>();
  for (const { order, ports } of orders) profiles.set(ports, [...(profiles.get(ports) ?? []), order]);
  return {
    profiles: [...profiles].map(([ports, there]) => ({ ports, orders: named ? there : null })),
    orders: orders.map(({ order }) => order),
  };
}

import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import type { View } from '../../terminal/streams.ts';
import { waitingView } from '../../views/created.ts';
import { swapView } from '../../views/swap.ts';
import { swapsView } from '../../views/swaps.ts';
import type { RequestRate } from '../shared/arguments.ts';
import { orderArgument, rateLimitArgument, secondsArgument } from '../shared/arguments.ts';
import type { PlacedOrder } from '../shared/order-places.ts';
import { openOrders, placedOrders } from '../shared/order-places.ts';
import { budgetOf, usualQr } from '../shared/stored-setting.ts';
import type { WatchedPlaces, WatchOptions } from '../shared/watch.ts';
import { verdictOn, watchSwaps } from '../shared/watch.ts';
import { runAttention } from './attention.ts';
import { namedFailure, readAll } from './read-all.ts';

/** Options of `swapctl status`. */
export interface StatusOptions {
  /** Empty for every open swap of the ledger. */
  readonly orders: readonly string[];
  /** Null without `--watch`. */
  readonly watch: Pick<WatchOptions, 'intervalMs' | 'budget'> | null;
  readonly exitStatus: boolean;
  /** Only what needs a person. */
  readonly attention: boolean;
  /** Null is as it is stored. */
  readonly qr: boolean | null;
}

/** Declares `swapctl status`. */
export function statusCommand(command: Command, context: () => Context, run = runStatus): void {
  command
    .description(
      'Show one swap, several, or (with no order) every open swap of the ledger, of all profiles unless -p names one.',
    )
    .argument('[order...]', 'order numbers')
    .option('-w, --watch', 'follow until every swap is final')
    .option('-i, --interval <seconds>', 'pause between two looks at a swap', secondsArgument)
    .option('--budget <limit>', 'requests at most, such as 60/60s', rateLimitArgument)
    .option('--exit-status', 'exit with 9 for a swap that failed, with 8 for one that is not final')
    .option('--attention', 'only what needs a person: exit with 8 if anything does, with 0 if nothing does')
    .option(
      '--qr',
      'show the QR code of a swap that waits for its deposit (the default, unless the setting qr is off)',
    )
    .option('--no-qr', 'show no QR code')
    .addHelpText(
      'after',
      '\nOne swap that waits for its deposit is shown on a terminal as create showed it: what to send where, and until when.\nWith --watch, --timeout ends the watching, with exit code 8. On a terminal one swap is a block that is redrawn, several are a board with the most urgent first; in a pipe there is a line per change.\n\nExamples:\n  $ swapctl status KQWZPA\n  $ swapctl status KQWZPA --watch --timeout 2h --exit-status\n  $ swapctl status --attention\n  $ swapctl status --json | jq -r ".[].order"',
    )
    .action((orders: string[], flags: Record<string, unknown>) => {
      if (flags['interval'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--interval goes with --watch.');
      if (flags['budget'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--budget goes with --watch.');
      if (flags['attention'] === true && (flags['watch'] === true || flags['exitStatus'] === true))
        throw new UsageError('--attention goes with neither --watch nor --exit-status.');
      const budget = flags['budget'] === undefined ? null : budgetOf(flags['budget'] as RequestRate);
      const watch = { intervalMs: typeof flags['interval'] === 'number' ? flags['interval'] : null, budget };
      return run(context(), {
        orders: [...new Set(orders.map(orderArgument))],
        watch: flags['watch'] === true ? watch : null,
        exitStatus: flags['exitStatus'] === true,
        attention: flags['attention'] === true,
        qr: typeof flags['qr'] === 'boolean' ? flags['qr'] : null,
      });
    });
}

/** Prints or follows the swaps; throws `swap_failed` or `still_open` where `--exit-status` or `--timeout` asks for it, `attention` for `--attention`. */
export async function runStatus(context: Context, options: StatusOptions): Promise<void> {
  if (options.attention) return runAttention(context, options.orders);
  const orders =
    options.orders.length > 0 ? await placedOrders(context, options.orders) : await openOrders(context);
  if (orders.length === 0) {
    await context.streams.print(swapsView([], context.now()));
    return context.streams.note(
      'No open swap in the ledger. Create one with `swapctl create`, or name an order.',
    );
  }
  const [{ place: first } = { place: context }] = orders;
  // With one profile alone there is nothing to show where it cannot be asked.
  if (orders.every(({ place }) => place === first)) await first.service();
  const named = options.orders.length > 0;
  const { swaps, failures, times } =
    options.watch === null
      ? await readAll(context, orders, named)
      : {
          ...(await watchSwaps(context, placesOf(orders, named), { ...options.watch, forgiving: !named })),
          times: new Map<SwapResult, number>(),
        };
  const [failed, ...others] = failures;
  if (options.watch === null && (swaps.length > 0 || failed === undefined)) {
    const [swap] = swaps;
    const single = options.orders.length === 1 && swap !== undefined;
    const now = context.now();
    await context.streams.print(
      single ? viewOf(context, swap, options.qr, times.get(swap) ?? now) : swapsView(swaps, now),
    );
  }
  // Whoever watches was told at once.
  if (options.watch === null)
    for (const { order, error } of others) await context.streams.warn(`order ${order}: ${error.message}`);
  if (failed !== undefined) throw orders.length === 1 ? failed.error : namedFailure(failed);
  const verdict = verdictOn(swaps, options.exitStatus, options.watch !== null);
  if (verdict !== null) throw verdict;
}

/** One swap: as its create showed it while it waits for its deposit. */
function viewOf(context: Context, swap: SwapResult, qr: boolean | null, now: number): View {
  return swap.fundable
    ? waitingView({ swap, notices: [], qr: qr ?? usualQr(context), now })
    : swapView(swap, now);
}

/** The orders of each profile; where none was named, all that are open there, later ones too. */
function placesOf(placed: readonly PlacedOrder[], named: boolean): WatchedPlaces {
  const places = new Map<Context, string[]>();
  for (const { order, place } of placed) places.set(place, [...(places.get(place) ?? []), order]);
  return {
    places: [...places].map(([context, there]) => ({ context, orders: named ? there : null })),
    orders: placed.map(({ order }) => order),
  };
}

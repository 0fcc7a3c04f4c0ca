import type { Command } from 'commander';
import type { Context, Service } from '../context.ts';
import type { ErrorCode } from '../errors.ts';
import { InterruptedError, restated, SwapctlError, UsageError } from '../errors.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { withProgress } from '../terminal/progress.ts';
import { swapsView, swapView } from '../views/swap.ts';
import { orderArgument, secondsArgument } from './shared/arguments.ts';
import type { FollowOptions } from './shared/follow/look-in-turn.ts';
import { lookUpSwap } from './shared/lookup.ts';
import type { PlacedOrder } from './shared/order-places.ts';
import { openOrders, placedOrders } from './shared/order-places.ts';
import { usualInterval } from './shared/stored-setting.ts';
import { verdictOn, watchSwaps } from './shared/watch.ts';

/** What `swapctl status` was asked for. */
export interface StatusOptions {
  /** Empty for every open swap of the ledger. */
  readonly orders: readonly string[];
  /** Null without `--watch`; its pause in milliseconds is null where none is given. */
  readonly watch: { readonly intervalMs: number | null } | null;
  readonly exitStatus: boolean;
}

/** Declares `swapctl status`. */
export function statusCommand(command: Command, context: () => Context, run = runStatus): void {
  command
    .description(
      'Show one swap, several, or (with no order) every open swap of the ledger, of all profiles unless -p names one.',
    )
    .argument('[order...]', 'order numbers')
    .option('-w, --watch', 'follow until every swap is final')
    .option('-i, --interval <seconds>', 'pause between two looks (default: 10)', secondsArgument)
    .option('--exit-status', 'exit with 9 for a swap that failed, with 8 for one that is not final')
    .addHelpText(
      'after',
      '\nWith --watch, --timeout ends the watching, with exit code 8. On a terminal one swap is a block that is redrawn,\nseveral are a board with the most urgent first; in a pipe there is a line per change.\n\nExamples:\n  $ swapctl status KQWZPA\n  $ swapctl status KQWZPA --watch --timeout 2h --exit-status\n  $ swapctl status --json | jq -r ".[].order"',
    )
    .action((orders: string[], flags: Record<string, unknown>) => {
      if (flags['interval'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--interval goes with --watch.');
      const watch = { intervalMs: typeof flags['interval'] === 'number' ? flags['interval'] : null };
      return run(context(), {
        orders: [...new Set(orders.map(orderArgument))],
        watch: flags['watch'] === true ? watch : null,
        exitStatus: flags['exitStatus'] === true,
      });
    });
}

/** Prints or follows the swaps; throws `swap_failed` or `still_open` where `--exit-status` or `--timeout` asks for it. */
export async function runStatus(context: Context, options: StatusOptions): Promise<void> {
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
  const failures: Failed[] = [];
  const swaps =
    options.watch === null
      ? await readAll(context, orders, { named: options.orders.length > 0, failures })
      : await watchPlaced(context, orders, failures, {
          intervalMs: options.watch.intervalMs ?? usualInterval(context),
          forgiving: options.orders.length === 0,
        });
  const [failed, ...others] = failures;
  if (options.watch === null && (swaps.length > 0 || failed === undefined)) {
    const [swap] = swaps;
    const single = options.orders.length === 1 && swap !== undefined;
    await context.streams.print(single ? swapView(swap, context.now()) : swapsView(swaps, context.now()));
  }
  for (const { order, error } of others) await context.streams.warn(`order ${order}: ${error.message}`);
  if (failed !== undefined) throw orders.length === 1 ? failed.error : namedFailure(failed);
  const verdict = verdictOn(swaps, options.exitStatus, options.watch !== null);
  if (verdict !== null) throw verdict;
}

/** An order that could not be read. */
interface Failed {
  readonly order: string;
  readonly error: SwapctlError;
}

function namedFailure({ order, error }: Failed): SwapctlError {
  return restated(error, `Order ${order}: ${error.message}`, { details: { ...error.details, order } });
}

/** Follows orders, each at its own place; a place that cannot be asked goes to the failures. */
async function watchPlaced(
  context: Context,
  orders: readonly PlacedOrder[],
  failures: Failed[],
  options: FollowOptions,
): Promise<readonly SwapResult[]> {
  const services = new Map<Context, Service | null>();
  for (const { order, place } of orders) {
    if (services.has(place)) continue;
    try {
      services.set(place, await place.service());
    } catch (error) {
      if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
      failures.push({ order, error });
      services.set(place, null);
    }
  }
  const open = orders.filter(({ place }) => services.get(place) !== null);
  const places = new Map(open.map(({ order, place }) => [order, place]));
  const [service] = [...services.values()].filter((each) => each !== null);
  if (service === undefined) return [];
  const placeOf = (order: string) => places.get(order) ?? context;
  return watchSwaps(context, service, [...places.keys()], { ...options, placeOf });
}

/**
 * Reads the swaps one after the other. An order that cannot be read goes to the failures and does not hide the others;
 * one of the ledger that the service has forgotten is told. What is no matter of one order ends the reading at its
 * place, which is one service with one key.
 */
async function readAll(
  context: Context,
  orders: readonly PlacedOrder[],
  { named, failures }: { readonly named: boolean; readonly failures: Failed[] },
): Promise<SwapResult[]> {
  return withProgress(context.streams, 'Reading', async () => {
    const swaps: SwapResult[] = [];
    const closed = new Set<Context>();
    for (const { order, place } of orders) {
      if (closed.has(place)) continue;
      try {
        swaps.push(await lookUpSwap(place, await place.service(), order));
      } catch (error) {
        if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
        if (named || error.code !== 'not_found') failures.push({ order, error });
        else
          await context.streams.warn(
            `the service does not know order ${order} of the ledger any more: ${error.message}`,
          );
        if (!ABOUT_ONE_ORDER.has(error.code)) closed.add(place);
      }
    }
    return swaps;
  });
}

const ABOUT_ONE_ORDER: ReadonlySet<ErrorCode> = new Set([
  ...(['not_found', 'bad_response', 'rejected', 'validation_failed', 'service_error'] as const),
]);

import type { Command } from 'commander';
import type { Context, Service } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { withProgress } from '../terminal/progress.ts';
import { swapsView, swapView } from '../terminal/render-swap.ts';
import { orderArgument, secondsArgument } from './arguments.ts';
import { lookUpSwap, profileOwner } from './swap-lookup.ts';
import type { WatchOptions } from './watching.ts';
import { verdictOn, watchSwaps } from './watching.ts';

/** What `swapctl status` was asked for. */
export interface StatusOptions {
  /** Empty for every open swap of the ledger. */
  readonly orders: readonly string[];
  readonly watch: WatchOptions | null;
  readonly exitStatus: boolean;
}

/** Pause between two looks unless told otherwise. */
export const WATCH_INTERVAL_MS = 10_000;

/** Declares `swapctl status`. */
export function statusCommand(program: Command, context: () => Context, run = runStatus): void {
  program
    .command('status')
    .summary('show swaps, or follow them to their end')
    .description('Show one swap, several, or (with no order) every open swap of the ledger.')
    .argument('[order...]', 'order numbers')
    .option('-w, --watch', 'follow until every swap is final')
    .option('-i, --interval <seconds>', 'pause between two looks (default: 10)', secondsArgument)
    .option('--exit-status', 'exit with 9 for a swap that failed, with 8 for one that is not final')
    .addHelpText(
      'after',
      '\nWith --watch, --timeout ends the watching, with exit code 8.\n\nExamples:\n  $ swapctl status KQWZPA\n  $ swapctl status KQWZPA --watch --timeout 2h --exit-status\n  $ swapctl status --json | jq -r ".[].order"',
    )
    .action((orders: string[], flags: Record<string, unknown>) => {
      if (flags['interval'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--interval goes with --watch.');
      const watch: WatchOptions = {
        intervalMs: typeof flags['interval'] === 'number' ? flags['interval'] : WATCH_INTERVAL_MS,
      };
      return run(context(), {
        orders: [...new Set(orders.map(orderArgument))],
        watch: flags['watch'] === true ? watch : null,
        exitStatus: flags['exitStatus'] === true,
      });
    });
}

/** Prints or follows the swaps; throws `swap_failed` or `still_open` where `--exit-status` or `--timeout` asks for it. */
export async function runStatus(context: Context, options: StatusOptions): Promise<void> {
  const orders = options.orders.length > 0 ? options.orders : await openOrders(context);
  if (orders.length === 0) {
    await context.streams.print(swapsView([], context.now()));
    return context.streams.note(
      'No open swap in the ledger. Create one with `swapctl create`, or name an order.',
    );
  }
  const service = await context.service();
  const swaps =
    options.watch === null
      ? await readAll(context, service, orders, options.orders.length === 0)
      : await watchSwaps(context, service, orders, {
          ...options.watch,
          forgiving: options.orders.length === 0,
        });
  if (options.watch === null) {
    const [first] = swaps;
    const single = options.orders.length === 1 && first !== undefined;
    await context.streams.print(single ? swapView(first, context.now()) : swapsView(swaps, context.now()));
  }
  const verdict = verdictOn(swaps, options.exitStatus, options.watch !== null);
  if (verdict !== null) throw verdict;
}

async function openOrders(context: Context): Promise<readonly string[]> {
  const entries = await (await context.ledger()).open(await profileOwner(context));
  return entries.flatMap(({ order }) => order ?? []);
}

/** With `gone`, an order that the service has forgotten is told and does not hide the others. */
async function readAll(
  context: Context,
  service: Service,
  orders: readonly string[],
  gone: boolean,
): Promise<SwapResult[]> {
  return withProgress(context.streams, 'Reading', async () => {
    const swaps: SwapResult[] = [];
    for (const order of orders) {
      try {
        swaps.push(await lookUpSwap(context, service, order));
      } catch (error) {
        if (!gone || !(error instanceof SwapctlError) || error.code !== 'not_found') throw error;
        await context.streams.warn(
          `the service does not know order ${order} of the ledger any more: ${error.message}`,
        );
      }
    }
    return swaps;
  });
}

import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { Side } from '../../../core/swap/swap.ts';
import { matchingCoins } from '../../../core/swaps/coin-search.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { arranged, COIN_COLUMNS, listView } from '../../views/columns.ts';
import { type Flags, limitOption, readFlags, SCREEN_LIMIT } from '../shared/arguments.ts';
import { listingArgument, listingOptions } from '../shared/listing.ts';
import { coinsView } from './view.ts';

export function coinsCommand(command: Command, context: () => Context, run = runCoins): void {
  listingOptions(command, 'code,receive')
    .description('List the coins of the service, and the networks for deposits and payouts of each.')
    .argument('[search]', 'part of a code or name')
    .option('-n, --network <network>', 'only coins on this network, by code or alias')
    .option('--deposit', 'only coins you can send')
    .option('--receive', 'only coins you can receive')
    .option('--refresh', 'fetch the list again instead of using the cached one')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl coins usd\n  $ swapctl coins --network TRC20 --receive\n  $ swapctl coins --json | jq -r ".[].code"',
    )
    .action((search: string | undefined, flags: Flags) => {
      const started = context();
      return run(started, coinsOptions(started, search ?? null, flags));
    });
}

const SIDES: readonly Side[] = ['deposit', 'receive'];

function coinsOptions(context: Context, search: string | null, flags: Flags) {
  const { text, number, on } = readFlags(flags);
  const sides = SIDES.filter(on);
  if (sides.length > 1) throw new UsageError('--deposit and --receive cannot be combined.');
  const [side = null] = sides;
  const listing = listingArgument(flags, COIN_COLUMNS, [], context.flags.json === true);
  return { search, network: text('network'), side, refresh: on('refresh'), limit: number('limit'), listing };
}

/** Prints the coins that match. */
export async function runCoins(context: Context, options: ReturnType<typeof coinsOptions>): Promise<void> {
  const { streams } = context;
  const { coins } = await withProgress(streams, 'Reading the coin list', () =>
    context.coinList(options.refresh),
  );
  const { listing } = options;
  const matching = arranged(matchingCoins(coins, options), listing);
  const limit = options.limit ?? (streams.format === 'screen' ? SCREEN_LIMIT : matching.length);
  const listed = matching.slice(0, limit);
  await streams.print(listView(listed, listing, coinsView(listed)));
  if (matching.length === 0) streams.note('No coin matches.');
  const more = matching.length - limit;
  if (more > 0 && streams.format === 'screen')
    streams.note(`${more} more; show them with --limit ${matching.length}.`);
}

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { nearestWords } from '../suggest.ts';
import type { Coin, Side } from '../swap/swap.ts';
import { withProgress } from '../terminal/progress.ts';
import { visible } from '../text.ts';
import { coinsView } from '../views/coins.ts';
import { limitOption, SCREEN_LIMIT } from './shared/limit.ts';

/** Parsed arguments of `swapctl coins`. */
export interface CoinsOptions {
  readonly search: string | null;
  readonly network: string | null;
  /** Only coins that can be used on this side. */
  readonly side: Side | null;
  readonly refresh: boolean;
  readonly limit: number | null;
}

/** Declares `swapctl coins`. */
export function coinsCommand(command: Command, context: () => Context, run = runCoins): void {
  command
    .description(
      'List the coins of the service, with the networks on which each can be deposited and received.',
    )
    .argument('[search]', 'part of a code or a name')
    .option('-n, --network <network>', 'only coins on this network')
    .option('--deposit', 'only coins that can be deposited')
    .option('--receive', 'only coins that can be received')
    .option('--refresh', 'ask the service again instead of using the stored list')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl coins usd\n  $ swapctl coins --network TRX --receive\n  $ swapctl coins --json | jq -r ".[].code"',
    )
    .action((search: string | undefined, flags: Record<string, unknown>) => {
      if (flags['deposit'] === true && flags['receive'] === true)
        throw new UsageError('Choose one of --deposit and --receive.');
      return run(context(), {
        search: search ?? null,
        network: typeof flags['network'] === 'string' ? flags['network'] : null,
        side: flags['deposit'] === true ? 'deposit' : flags['receive'] === true ? 'receive' : null,
        refresh: flags['refresh'] === true,
        limit: typeof flags['limit'] === 'number' ? flags['limit'] : null,
      });
    });
}

/** Prints the coins that match. */
export async function runCoins(context: Context, options: CoinsOptions): Promise<void> {
  const { streams } = context;
  const { coins } = await withProgress(streams, 'Reading the coin list', () =>
    context.coinList(options.refresh),
  );
  if (options.network !== null) refuseUnknownNetwork(coins, options.network);
  const matching = coins.filter((coin) => matches(coin, options));
  const limit = options.limit ?? (streams.format === 'screen' ? SCREEN_LIMIT : matching.length);
  await streams.print(coinsView(matching.slice(0, limit)));
  if (matching.length === 0) streams.note('No coin matches.');
  const more = matching.length - limit;
  if (more > 0 && streams.format === 'screen')
    streams.note(`${more} more; show them with --limit ${matching.length}.`);
}

function refuseUnknownNetwork(coins: readonly Coin[], network: string): void {
  const known = new Set(
    coins.flatMap((coin) => [...coin.deposit, ...coin.receive].map((item) => item.network)),
  );
  if ([...known].some((code) => code.toLowerCase() === network.toLowerCase())) return;
  const near = nearestWords([...known], network);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See the networks with `swapctl coins`.';
  throw new UsageError(
    `The service lists no network ${visible(network).slice(0, 40)}.`,
    hint,
    'unknown_network',
  );
}

function matches(coin: Coin, { search, network, side }: CoinsOptions): boolean {
  const text = search?.toLowerCase() ?? '';
  if (text !== '' && !coin.code.toLowerCase().includes(text) && !coin.name.toLowerCase().includes(text)) {
    return false;
  }
  const sides = side === null ? [coin.deposit, coin.receive] : [coin[side]];
  if (network === null) return sides.some((networks) => networks.length > 0);
  const wanted = network.toLowerCase();
  return sides.some((networks) => networks.some((item) => item.network.toLowerCase() === wanted));
}

import type { Command } from 'commander';
import { usedCodes } from '../client/find-coin.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import { matchNetwork } from '../swap/networks/aliases.ts';
import type { Coin, Side } from '../swap/swap.ts';
import { withProgress } from '../terminal/progress.ts';
import { echoed } from '../text.ts';
import { coinsView } from '../views/coins.ts';
import { type Flags, limitOption, readFlags, SCREEN_LIMIT } from './shared/arguments.ts';

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
      const { text, number, on } = readFlags(flags);
      const sides = SIDES.filter(on);
      if (sides.length > 1) throw new UsageError('--deposit and --receive cannot be combined.');
      const [side = null] = sides;
      return run(context(), {
        search: search ?? null,
        network: text('network'),
        side,
        refresh: on('refresh'),
        limit: number('limit'),
      });
    });
}

const SIDES: readonly Side[] = ['deposit', 'receive'];

/** Prints the coins that match. */
export async function runCoins(context: Context, options: CoinsOptions): Promise<void> {
  const { streams } = context;
  const { coins } = await withProgress(streams, 'Reading the coin list', () =>
    context.coinList(options.refresh),
  );
  const codes = options.network === null ? null : meantNetworks(coins, options.network);
  const matching = coins.filter((coin) => matches(coin, options, codes));
  const limit = options.limit ?? (streams.format === 'screen' ? SCREEN_LIMIT : matching.length);
  await streams.print(coinsView(matching.slice(0, limit)));
  if (matching.length === 0) streams.note('No coin matches.');
  const more = matching.length - limit;
  if (more > 0 && streams.format === 'screen')
    streams.note(`${more} more; show them with --limit ${matching.length}.`);
}

/** The service's codes for a typed network: that code, or else each one that the alias means. */
function meantNetworks(coins: readonly Coin[], typed: string): ReadonlySet<string> {
  const known = [...new Set(usedCodes(coins))];
  const spelled = known.filter((code) => code.toLowerCase() === typed.toLowerCase());
  if (spelled.length > 0) return new Set(spelled);
  const match = matchNetwork(known, typed);
  if (match.kind === 'found') return new Set([match.code]);
  if (match.kind === 'ambiguous') return new Set(match.codes);
  const hint = didYouMean(known, typed, 'See the networks with `swapctl coins`.');
  throw new UsageError(`The service has no network ${echoed(typed)}.`, hint, 'unknown_network');
}

function matches(coin: Coin, { search, side }: CoinsOptions, codes: ReadonlySet<string> | null): boolean {
  const text = search?.toLowerCase() ?? '';
  if (text !== '' && !coin.code.toLowerCase().includes(text) && !coin.name.toLowerCase().includes(text)) {
    return false;
  }
  const sides = side === null ? [coin.deposit, coin.receive] : [coin[side]];
  return sides.some((networks) =>
    codes === null ? networks.length > 0 : networks.some(({ network }) => codes.has(network)),
  );
}

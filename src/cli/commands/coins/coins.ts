import type { Command } from 'commander';
import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { shown, type Visible } from '../../../base/text.ts';
import { describeNetworks, readNetworks } from '../../../core/client/coin-list.ts';
import { matchingCoins } from '../../../core/client/find-coin.ts';
import type { Coin, CoinNetwork, NetworkOfCoin, Side } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { View } from '../../terminal/streams.ts';
import { type ItemColumn, renderItems } from '../../terminal/table.ts';
import { arranged, COIN_COLUMNS, listView } from '../../views/columns.ts';
import * as args from '../shared/arguments.ts';
import { listingArgument, listingOptions } from '../shared/listing.ts';

export function coinsCommand(command: Command, context: () => Context, run = runCoins): void {
  listingOptions(command, 'code,receive')
    .description('List the coins of the service, and the networks for deposits and payouts of each.')
    .argument('[search]', 'part of a code or name')
    .option('-n, --network <network>', 'only coins on this network, by code or alias')
    .option('--deposit', 'only coins you can send')
    .option('--receive', 'only coins you can receive')
    .option('--refresh', 'fetch the list again instead of using the cached one')
    .addOption(args.limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl coins usd\n  $ swapctl coins --network TRC20 --receive\n  $ swapctl coins --json | jq -r ".[].code"',
    )
    .action((search: string | undefined, flags: args.Flags) =>
      run(context(), coinsOptions(context(), search ?? null, flags)),
    );
}

const SIDES: readonly Side[] = ['deposit', 'receive'];

function coinsOptions(context: Context, search: string | null, flags: args.Flags) {
  const { text, number, on } = args.readFlags(flags);
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
  const limit = options.limit ?? (streams.format === 'screen' ? args.SCREEN_LIMIT : matching.length);
  const listed = matching.slice(0, limit);
  await streams.print(listView(listed, listing, coinsView(listed)));
  if (matching.length === 0) streams.note('No coin matches.');
  const more = matching.length - limit;
  if (more > 0 && streams.format === 'screen')
    streams.note(`${more} more; show them with --limit ${matching.length}.`);
}

/** The coins with the networks of each side, and those that need a memo, which a `*` marks on a screen. */
export function coinsView(coins: readonly Coin[]): View {
  return {
    json: () => coins,
    rows: function* () {
      // A stored list has thousands of coins on a few lists of networks, which are the same objects.
      const joined = new Map<readonly CoinNetwork[], string>();
      const codesOf = (networks: readonly CoinNetwork[]): string => {
        const text = joined.get(networks) ?? networks.map(({ network }) => network).join(',');
        joined.set(networks, text);
        return text;
      };
      for (const coin of coins)
        yield [coin.code, coin.name, codesOf(coin.deposit), codesOf(coin.receive), memoNetworks(coin)];
    },
    screen: async (style, width) => {
      const columns: ItemColumn<Coin>[] = [
        { title: 'COIN', paint: style.bold, cell: ({ code }) => code },
        { title: 'NAME', cell: ({ name }) => name },
        { title: 'NETWORKS', wraps: true, cell: sides },
      ];
      const table = await renderItems(coins, columns, style, width);
      return coins.some((coin) => /[*↓↑]/.test(sides(coin)))
        ? shown`${table}${style.dim(shown` * needs a memo   ↓ deposit only   ↑ receive only`)}\n`
        : table;
    },
  };
}

/** The networks that need a memo on either side, with commas between. */
function memoNetworks({ deposit, receive }: Coin): string {
  const codes = [...deposit, ...receive].flatMap(({ network, memoRequired }) =>
    memoRequired ? network : [],
  );
  return [...new Set(codes)].join(',');
}

/** Networks of both sides in one cell: most networks of a coin are on both. */
function sides(coin: Coin): string {
  const receive = new Set(coin.receive.map(({ network }) => network));
  const deposit = new Set(coin.deposit.map(({ network }) => network));
  const both = [...coin.deposit, ...coin.receive.filter(({ network }) => !deposit.has(network))];
  return both
    .map(({ network, memoRequired }) => {
      const side = !receive.has(network) ? '↓' : !deposit.has(network) ? '↑' : '';
      return `${network}${memoRequired ? '*' : ''}${side}`;
    })
    .join(' ');
}

export function networksView(networks: ReturnType<typeof describeNetworks>): View {
  const mark = (yes: boolean) => (yes ? 'yes' : 'no');
  return {
    json: () => networks,
    rows: () =>
      networks.networks.map(({ network, deposit, receive, memoRequired, aliases }) => {
        const memo = memoRequired === null ? '' : mark(memoRequired);
        return [network, mark(deposit), mark(receive), memo, aliases.join(',')];
      }),
    screen: (style, width) => {
      const paint = (text: Visible) => (text.trim() === 'yes' ? style.green(text) : style.dim(text));
      const memo = { true: 'needed', null: '?', false: '' } as const;
      const columns: ItemColumn<NetworkOfCoin>[] = [
        { title: 'NETWORK', paint: style.bold, cell: ({ network }) => network },
        { title: 'DEPOSIT', paint, cell: ({ deposit }) => mark(deposit) },
        { title: 'RECEIVE', paint, cell: ({ receive }) => mark(receive) },
        { title: 'MEMO', paint: style.yellow, cell: ({ memoRequired }) => memo[`${memoRequired}`] },
        { title: 'ALIASES', wraps: true, paint: style.dim, cell: ({ aliases }) => aliases.join(', ') },
      ];
      return renderItems(networks.networks, columns, style, width);
    },
  };
}

export function networksCommand(command: Command, context: () => Context, run = runNetworks): void {
  command
    .description('List the networks on which you can send and receive a coin.')
    .argument('<coin>', 'code of the coin, such as USDT')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl networks USDT\n  $ swapctl networks USDT --json | jq .networks',
    )
    .action((coin: string) =>
      run(context(), { coin: args.coinArgument(args.coinWithoutNetwork(coin)).coin }),
    );
}

export async function runNetworks(context: Context, options: { readonly coin: string }): Promise<void> {
  const { client } = await context.service();
  const { code, lists } = await withProgress(
    context.streams,
    `Reading the networks of ${options.coin.toUpperCase()}`,
    () => readNetworks(client, options.coin, context.pairCoins),
  );
  await context.streams.print(networksView(describeNetworks(code, lists, await listedCoins(context, code))));
}

/** The coin as the list has it, and perhaps others; none, with a warning, if the list cannot be read. */
async function listedCoins(context: Context, code: string): Promise<readonly Coin[]> {
  const coins = await attempt(() => context.pairCoins(code, code));
  if (!(coins instanceof SwapctlError)) return coins;
  await context.streams.warn(`cannot tell which networks need a memo: ${coins.message}`);
  return [];
}

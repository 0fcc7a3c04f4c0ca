import { shown, type Visible } from '../../../base/text.ts';
import type { Coin, CoinNetwork, NetworkOfCoin } from '../../../core/swap/swap.ts';
import type { View } from '../../terminal/streams.ts';
import { type ItemColumn, renderItems } from '../../terminal/table.ts';

interface CoinNetworks {
  readonly coin: string;
  readonly networks: readonly NetworkOfCoin[];
}

/**
 * The coin list: code, name, the networks of each side, and those that need a memo. On a screen a `*` marks a network
 * that needs a memo.
 */
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

export function networksView(networks: CoinNetworks): View {
  const mark = (yes: boolean) => (yes ? 'yes' : 'no');
  return {
    json: () => networks,
    rows: () =>
      networks.networks.map(({ network, deposit, receive, memoRequired, aliases }) => [
        network,
        mark(deposit),
        mark(receive),
        memoRequired === null ? '' : mark(memoRequired),
        aliases.join(','),
      ]),
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

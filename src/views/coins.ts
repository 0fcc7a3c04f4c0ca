import type { Coin, CoinNetwork } from '../swap/swap.ts';
import type { View } from '../terminal/streams.ts';
import { renderTable } from '../terminal/table.ts';
import { shown, type Visible } from '../text.ts';

/** The networks of one coin and the sides on which they can be used. */
export interface CoinNetworks {
  readonly coin: string;
  readonly networks: readonly {
    readonly network: string;
    readonly deposit: boolean;
    readonly receive: boolean;
    /** Null where the coin list does not say. */
    readonly memoRequired: boolean | null;
    /** Other names that mean this network on input. */
    readonly aliases: readonly string[];
  }[];
}

/** The coin list: code, name, and the networks of each side; a `*` marks a network that needs a memo. */
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
      for (const coin of coins) yield [coin.code, coin.name, codesOf(coin.deposit), codesOf(coin.receive)];
    },
    screen: async (style, width) => {
      if (coins.length === 0) return '';
      const rows = coins.map((coin) => [coin.code, coin.name, sides(coin)]);
      const table = await renderTable(
        [{ title: 'COIN', paint: style.bold }, { title: 'NAME' }, { title: 'NETWORKS', wraps: true }],
        rows,
        style,
        width,
      );
      const legend = rows.some(([, , networks]) => /[*↓↑]/.test(networks ?? ''));
      return legend
        ? shown`${table}${style.dim(shown` * needs a memo   ↓ deposit only   ↑ receive only`)}\n`
        : table;
    },
  };
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

/** The networks of one coin. */
export function networksView(networks: CoinNetworks): View {
  const mark = (yes: boolean) => (yes ? 'yes' : 'no');
  return {
    json: () => networks,
    rows: () =>
      networks.networks.map(({ network, deposit, receive, memoRequired, aliases }) => [
        ...[
          network,
          mark(deposit),
          mark(receive),
          memoRequired === null ? '' : mark(memoRequired),
          aliases.join(','),
        ],
      ]),
    screen: async (style, width) => {
      const paint = (text: Visible) => (text.trim() === 'yes' ? style.green(text) : style.dim(text));
      return renderTable(
        [
          { title: 'NETWORK', paint: style.bold },
          { title: 'DEPOSIT', paint },
          { title: 'RECEIVE', paint },
          { title: 'MEMO', paint: style.yellow },
          { title: 'ALIASES', wraps: true, paint: style.dim },
        ],
        networks.networks.map(({ network, deposit, receive, memoRequired, aliases }) => [
          ...[
            network,
            mark(deposit),
            mark(receive),
            memoRequired === true ? 'needed' : memoRequired === null ? '?' : '',
          ],
          aliases.join(', '),
        ]),
        style,
        width,
      );
    },
  };
}

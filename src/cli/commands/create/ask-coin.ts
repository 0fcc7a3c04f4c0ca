import { attempt, SwapctlError } from '../../../base/errors.ts';
import { shown, type Visible, visible } from '../../../base/text.ts';
import { type FoundCoin, findCoin, networkOf } from '../../../core/client/find-coin.ts';
import { namedNetwork } from '../../../core/swap/networks/aliases.ts';
import type { Asset, Coin, CoinNetwork, CoinOnNetwork, Side } from '../../../core/swap/swap.ts';
import { coinLabel } from '../../../core/swap/swap.ts';
import { refuseSameSides } from '../../../core/swaps/pair.ts';
import type { Context } from '../../context.ts';
import type { Choice } from '../../terminal/questions.ts';
import { displayWidth, padded } from '../../terminal/width.ts';
import { assetName, fetchedCoins } from '../shared/questions.ts';

const MAX_RECENT = 5;
/** Number of newest swaps searched for recent coins. */
const MAX_RECENT_SWAPS = 500;
const MAX_NAME_CHARACTERS = 40;

/** Asks for a coin with its network from one searchable list, the ones used last first. */
export async function askCoin(context: Context, side: Side, other: Asset | null): Promise<Asset> {
  const coins = await fetchedCoins(context);
  const recent = await recentAssets(context, side);
  const rank = ({ value }: Row) => recent.indexOf(coinLabel(value));
  const choices = choicesOf(coins, side, recent).filter(
    ({ value }) => other === null || coinLabel(value) !== coinLabel(other),
  );
  const sorted = [
    ...choices.filter((choice) => rank(choice) >= 0).sort((a, b) => rank(a) - rank(b)),
    ...choices.filter((choice) => rank(choice) < 0),
  ];
  return context.prompter.search<Asset>({
    message: side === 'deposit' ? shown`Coin to send` : shown`Coin to receive`,
    source: (term) => matching(sorted, term),
  });
}

/** A choice with what a search looks at, in lower case: code, network with its other names, and the whole name. */
type Row = Choice<Asset> & { readonly searched: string };

function choicesOf(coins: readonly Coin[], side: Side, recent: readonly string[]): Row[] {
  const width = coins
    .flatMap((coin) => coin[side].map(({ network }) => displayWidth(label(coin, network))))
    .reduce((a, b) => Math.max(a, b), 0);
  return coins.flatMap((coin) => coin[side].map((network) => choiceOf(coin, network, width, recent)));
}

function choiceOf(
  coin: Coin,
  { network, memoRequired }: CoinNetwork,
  width: number,
  recent: readonly string[] = [],
): Row {
  const value: Asset = { coin: coin.code, network };
  const name = [...coin.name];
  const shortName =
    name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS).join('')}…` : coin.name;
  const isRecent = recent.includes(coinLabel(value));
  const notes = [...(isRecent ? ['used before'] : []), ...(memoRequired ? ['needs a memo'] : [])];
  const after = notes.length === 0 ? '' : `  (${notes.join(', ')})`;
  return {
    name: shown`${padded(label(coin, network), width)}  ${visible(`${shortName}${after}`)}`,
    short: visible(assetName(value)),
    value,
    searched: `${coinLabel(value)} ${network} ${coin.name} ${otherNames(network)}`.toLowerCase(),
  };
}

/** Other names of a network, because the list is also searched by them. */
function otherNames(network: string): string {
  const named = namedNetwork(network);
  return named === undefined ? '' : [named.code, ...named.aliases, named.name, named.chainId ?? ''].join(' ');
}

function label(coin: Coin, network: string): Visible {
  return visible(coinLabel({ coin: coin.code, network: network === coin.code ? null : network }));
}

/**
 * Rows with every word of the term, in any order. First those whose code is one of the words and whose network is the
 * others, then those whose code begins with a word.
 */
function matching(rows: readonly Row[], term: string): readonly Row[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ value, searched }: Row): number => {
    const [label, coin, network] = [coinLabel(value), value.coin, value.network].map((text) =>
      text.toLowerCase(),
    );
    if (!words.every((word) => searched.includes(word))) return 3;
    const names = words.filter((word) => word === coin || word === label);
    if (names.length > 0 && words.every((word) => names.includes(word) || word === network)) return 0;
    return words.some((word) => label?.startsWith(word)) ? 1 : 2;
  };
  const ranked = rows.map((row) => ({ row, rank: words.length === 0 ? 0 : rank(row) }));
  return [0, 1, 2].flatMap((wanted) => ranked.flatMap((item) => (item.rank === wanted ? item.row : [])));
}

async function recentAssets(context: Context, side: Side): Promise<string[]> {
  const recent = await attempt(async () =>
    (await context.ledger()).books.recentAssets(side, MAX_RECENT_SWAPS),
  );
  // A list without recent coins is still usable; the create itself reports what is wrong with the ledger.
  return recent instanceof SwapctlError ? [] : recent.slice(0, MAX_RECENT);
}

/** A coin with the networks to choose from: those that an ambiguous alias can mean. */
function meantCoin(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): FoundCoin {
  const found = findCoin(coins, { ...ref, network: null }, side);
  const match = ref.network === null ? null : networkOf(coins, found.networks, ref.network);
  if (match?.kind !== 'ambiguous') return findCoin(coins, ref, side);
  return { ...found, networks: found.networks.filter(({ network }) => match.codes.includes(network)) };
}

/**
 * Asks for the network of a coin that was named without one, or by an alias of several; its only network is used
 * without asking. The `other` side's network of the same coin is not offered, and is refused if it is the only one.
 */
export async function askNetwork(
  context: Context,
  ref: CoinOnNetwork,
  side: Side,
  other: Asset | null = null,
): Promise<Asset> {
  const coins = await fetchedCoins(context);
  const { coin, networks, network } = meantCoin(coins, ref, side);
  const assetOn = (item: CoinNetwork): Asset => ({ coin: coin.code, network: item.network });
  const open = networks.filter(
    (item) => other === null || coinLabel(assetOn(item)).toLowerCase() !== coinLabel(other).toLowerCase(),
  );
  const only = network ?? (open.length === 1 ? open[0] : open.length === 0 ? networks[0] : undefined);
  if (only !== undefined) {
    if (other !== null) refuseSameSides(other, assetOn(only));
    return assetOn(only);
  }
  const width = Math.max(...open.map((item) => displayWidth(label(coin, item.network))));
  const rows = open.map((item) => choiceOf(coin, item, width));
  return context.prompter.search<Asset>({
    message: shown`Network on which you ${side === 'deposit' ? shown`send` : shown`receive`} ${visible(coin.code)}`,
    source: (term) => matching(rows, term),
  });
}

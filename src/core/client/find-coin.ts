import { UsageError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { didYouMean, nearestWords } from '../../base/suggest.ts';
import { echoed, MAX_LISTED, someOf } from '../../base/text.ts';
import { matchNetwork, namedNetwork } from '../swap/networks/aliases.ts';
import { type Coin, type CoinNetwork, type CoinOnNetwork, coinLabel, type Side } from '../swap/swap.ts';

/** A coin as the catalogue spells it, with its networks on one side. */
export interface FoundCoin {
  readonly coin: Coin;
  readonly networks: readonly CoinNetwork[];
  /** The requested network; null if none was requested. */
  readonly network: CoinNetwork | null;
}

/** Finds an entry by its exact spelling, or else the first that differs only in case; undefined if there is none. */
export function findBySpelling<T>(items: readonly T[], name: string, nameOf: (item: T) => string) {
  const lower = name.toLowerCase();
  const inAnyCase = () => items.find((item) => nameOf(item).toLowerCase() === lower);
  return items.find((item) => nameOf(item) === name) ?? inAnyCase();
}

/**
 * Finds a coin in the catalogue; its network may be an alias. Throws `unknown_coin` or `unknown_network` with suggestions,
 * `unknown_network` also if the network exists only on the other side, `network_required` for an alias of two networks.
 * An alias is certain only if `coins` is the whole list.
 */
export function findCoin(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): FoundCoin {
  const coin = findBySpelling(coins, ref.coin, ({ code }) => code);
  if (coin === undefined) throw unknownCoin(coins, ref.coin);
  const networks = coin[side];
  if (networks.length === 0) throw wrongSide(coin, side);
  if (ref.network === null) return { coin, networks, network: null };
  const match = networkOf(coins, networks, ref.network);
  const typed = ref.network;
  if (match.kind === 'ambiguous') {
    const problem = `${echoed(typed)} is ambiguous: this service has several such networks of ${coin.code}: ${someOf(match.codes)}.`;
    throw coinNetworkError('network_required', problem, coin, { codes: match.codes, typed });
  }
  const network = networks.find((item) => match.kind === 'found' && item.network === match.code);
  if (network === undefined) {
    const codes = networks.map((item) => item.network);
    const problem = `${coin.code} cannot be ${sideVerb(side)} on the network ${echoed(typed)}.`;
    throw coinNetworkError('unknown_network', problem, coin, { codes, typed });
  }
  return { coin, networks, network };
}

/** Which of a coin's networks, of one side or both, a typed code or alias means; see {@link matchNetwork}. */
export function networkOf(coins: readonly Coin[], networks: readonly CoinNetwork[], typed: string) {
  const codes = new Set(networks.map(({ network }) => network));
  return matchNetwork([...codes], typed, usedCodes(coins));
}

/** Every network code of a coin list, with repetitions. */
export function* usedCodes(coins: readonly Coin[]): Generator<string> {
  for (const { deposit, receive } of coins) {
    for (const { network } of deposit) yield network;
    for (const { network } of receive) yield network;
  }
}

/** Whether the network of a reference may be an alias: a known name that is not a code of the coin in the list. */
export function mayBeAlias(coins: readonly Coin[], { coin: code, network }: CoinOnNetwork, side: Side) {
  if (network === null || namedNetwork(network) === undefined) return false;
  const coin = findBySpelling(coins, code, (item) => item.code);
  return coin === undefined || findBySpelling(coin[side], network, (item) => item.network) === undefined;
}

/** A reference spelled as in the coin list, aliases of networks resolved; in capitals if it is not listed. */
export function respell(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): CoinOnNetwork {
  const coin = findBySpelling(coins, ref.coin, ({ code }) => code);
  const match = ref.network === null ? null : networkOf(coins, coin?.[side] ?? [], ref.network);
  return {
    coin: coin?.code ?? ref.coin.toUpperCase(),
    network: match?.kind === 'found' ? match.code : (ref.network?.toUpperCase() ?? null),
  };
}

/** The coin on a network that a text such as `USDT/TRX`, `USDT-TRC20` or `USDTTRC20` means; null if it means none. */
function joinedNetwork(coins: readonly Coin[], text: string): string | null {
  const word = text.toLowerCase();
  const starting = coins.filter(({ code }) => word.startsWith(code.toLowerCase()));
  // The longest code first: BTC would also be the beginning of BTCB.
  for (const coin of starting.sort((a, b) => b.code.length - a.code.length)) {
    const rest = text.slice(coin.code.length).replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
    if (rest === '') continue;
    const match = networkOf(coins, [...coin.deposit, ...coin.receive], rest);
    if (match.kind === 'found') return coinLabel({ coin: coin.code, network: match.code });
  }
  return null;
}

/** The error for a coin that the service does not list, with similar codes. */
export function unknownCoin(coins: readonly Coin[], code: string): UsageError {
  const listed = coins.map((coin) => coin.code);
  const pair = joinedNetwork(coins, code);
  const [coin, suggestions] = [echoed(code), pair === null ? nearestWords(listed, code) : [pair]];
  const text = code.toLowerCase();
  const isPart = coins.some((known) => `${known.code} ${known.name}`.toLowerCase().includes(text));
  const search = isPart
    ? `Search with \`swapctl coins ${shellQuote(coin)}\`.`
    : '`swapctl coins` lists the coins.';
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(', ')}?` : search;
  return new UsageError(`The service has no coin ${coin}.`, hint, 'unknown_coin', { coin, suggestions });
}

function wrongSide(coin: Coin, side: Side): UsageError {
  return new UsageError(
    `${coin.code} cannot be ${sideVerb(side)} at the moment.`,
    `See \`swapctl networks ${shellQuote(coin.code)}\`.`,
    'unknown_coin',
    { coin: coin.code, side },
  );
}

/** What is done with a coin on one side of a swap, for a sentence such as "BTC cannot be received". */
export function sideVerb(side: Side): 'deposited' | 'received' {
  return side === 'deposit' ? 'deposited' : 'received';
}

/** The error for a network that is missing or wrong, with the coin on the networks that could be meant. */
export function coinNetworkError(
  code: 'unknown_network' | 'network_required',
  problem: string,
  { code: coin }: Pick<Coin, 'code'>,
  { codes, typed }: { readonly codes: readonly string[]; readonly typed?: string },
): UsageError {
  const choices = codes.map((network) => coinLabel({ coin, network }));
  const verb = code === 'unknown_network' ? 'Choose' : 'Pass';
  const hint = choices.length === 1 ? `Pass ${choices[0]}.` : `${verb} one of ${someOf(choices)}.`;
  const network = typed === undefined ? {} : { network: echoed(typed) };
  return new UsageError(problem, hint, code, { coin, ...network, choices: choices.slice(0, MAX_LISTED) });
}

/** Filter for coins; null for any. */
export interface CoinSearch {
  /** Part of a code or name. */
  readonly search: string | null;
  /** A network by code or alias. */
  readonly network: string | null;
  /** Only coins that can be used on this side. */
  readonly side: Side | null;
}

/** The coins that match, in the order of the list. Throws `unknown_network`. */
export function matchingCoins(coins: readonly Coin[], { search, network, side }: CoinSearch) {
  const codes = network === null ? null : meantNetworks(coins, network);
  const text = search?.toLowerCase() ?? '';
  const isListed = (networks: readonly CoinNetwork[]) =>
    codes === null ? networks.length > 0 : networks.some((each) => codes.has(each.network));
  return coins.filter(
    ({ code, name, deposit, receive }) =>
      (code.toLowerCase().includes(text) || name.toLowerCase().includes(text)) &&
      ((side !== 'receive' && isListed(deposit)) || (side !== 'deposit' && isListed(receive))),
  );
}

/** The service's codes for a typed network: that code, or otherwise each one that the alias can mean. */
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

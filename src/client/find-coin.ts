import { UsageError } from '../errors.ts';
import { nearestWords } from '../suggest.ts';
import { coinLabel } from '../swap/coin-ref.ts';
import type { Coin, CoinNetwork, CoinOnNetwork, Side } from '../swap/swap.ts';
import { MAX_LISTED, someOf } from '../text.ts';

/** A coin as the catalogue spells it, with its networks on one side. */
export interface FoundCoin {
  readonly coin: Coin;
  readonly networks: readonly CoinNetwork[];
  /** The network asked for, or null where none was. */
  readonly network: CoinNetwork | null;
}

/** Finds an entry by its exact spelling, or else in any case. */
export function findBySpelling<T>(
  items: readonly T[],
  name: string,
  nameOf: (item: T) => string,
): T | undefined {
  const lower = name.toLowerCase();
  return (
    items.find((item) => nameOf(item) === name) ?? items.find((item) => nameOf(item).toLowerCase() === lower)
  );
}

/**
 * Looks a coin up in the catalogue. Throws `unknown_coin` or `unknown_network` with what it may have been,
 * `unknown_network` also where the network exists on the other side only.
 */
export function findCoin(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): FoundCoin {
  const coin = findBySpelling(coins, ref.coin, ({ code }) => code);
  if (coin === undefined) throw unknownCoin(coins, ref.coin);
  const networks = coin[side];
  if (networks.length === 0) throw wrongSide(coin, side);
  if (ref.network === null) return { coin, networks, network: null };
  const network = findBySpelling(networks, ref.network, (item) => item.network);
  if (network === undefined) throw unknownNetwork(coin, ref.network, side);
  return { coin, networks, network };
}

/** Whether a reference is typed in capitals and small letters, which may tell it from a coin that differs in nothing else. */
export function hasMixedCase({ coin, network }: CoinOnNetwork): boolean {
  return [coin, network ?? ''].some((code) => code !== code.toUpperCase() && code !== code.toLowerCase());
}

/** A reference spelled as the coin list spells it, or in capitals where the list does not have it. */
export function respell(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): CoinOnNetwork {
  const coin = findBySpelling(coins, ref.coin, ({ code }) => code);
  const network =
    ref.network === null
      ? undefined
      : findBySpelling(coin?.[side] ?? [], ref.network, (item) => item.network);
  return {
    coin: coin?.code ?? ref.coin.toUpperCase(),
    network: network?.network ?? ref.network?.toUpperCase() ?? null,
  };
}

/** The error for a coin that the service does not list, with codes that look alike. */
export function unknownCoin(coins: readonly Coin[], code: string): UsageError {
  const near = nearestWords(
    coins.map((coin) => coin.code),
    code,
  );
  const hint =
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Look for it with \`swapctl coins ${code}\`.`;
  return new UsageError(`The service lists no coin ${code}.`, hint, 'unknown_coin', {
    coin: code,
    suggestions: near,
  });
}

function wrongSide(coin: Coin, side: Side): UsageError {
  const verb = side === 'deposit' ? 'deposited' : 'received';
  return new UsageError(
    `${coin.code} cannot be ${verb} at present.`,
    `See \`swapctl networks ${coin.code}\`.`,
    'unknown_coin',
    { coin: coin.code, side },
  );
}

function unknownNetwork(coin: Coin, network: string, side: Side): UsageError {
  const choices = coin[side].map((item) => coinLabel({ coin: coin.code, network: item.network }));
  const verb = side === 'deposit' ? 'deposited' : 'received';
  return new UsageError(
    `${coin.code} cannot be ${verb} on a network ${network}.`,
    choices.length === 1 ? `Write ${choices[0]}.` : `Choose one of ${someOf(choices)}.`,
    'unknown_network',
    { coin: coin.code, network, choices: choices.slice(0, MAX_LISTED) },
  );
}

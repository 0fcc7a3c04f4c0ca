import { type SwapctlError, UsageError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import type { QuoteRequest } from '../client/client.ts';
import {
  type FoundCoin,
  findBySpelling,
  findCoin,
  mayBeAlias,
  respell,
  sideVerb,
} from '../client/find-coin.ts';
import { isAlias } from '../swap/networks/aliases.ts';
import { type Coin, type CoinOnNetwork, coinLabel, hasMixedCase, type Side } from '../swap/swap.ts';
import type { Ports } from './ports.ts';

export type CoinSource = Pick<Ports, 'pairCoins' | 'coinList'>;

/** The request in the list's spelling, with the service's code for an alias. `coinsOf` is called for that or mixed case only. */
export async function spelledPair(coinsOf: () => Promise<readonly Coin[]>, request: QuoteRequest) {
  const { from, to } = request;
  const hasAlias = [from, to].some(({ network }) => network !== null && isAlias(network));
  if (!hasAlias && !hasMixedCase(from) && !hasMixedCase(to)) return respelled([], request);
  const coins = await coinsOf();
  if (!hasAlias) return respelled(coins, request);
  // A service may take an unknown network for another one, and price that.
  const spelled = {
    ...request,
    from: spelledCoin(findCoin(coins, from, 'deposit')),
    to: spelledCoin(findCoin(coins, to, 'receive')),
  };
  refuseSameSides(spelled.from, spelled.to);
  return spelled;
}

function spelledCoin({ coin, network }: FoundCoin): CoinOnNetwork {
  return { coin: coin.code, network: network?.network ?? null };
}

/** The coins of a pair; the whole list for an alias, because no other coin may have it as its code. */
export async function coinsOfPair(source: CoinSource, { from, to }: Pick<QuoteRequest, 'from' | 'to'>) {
  const coins = await source.pairCoins(from.coin, to.coin);
  const isWhole = !mayBeAlias(coins, from, 'deposit') && !mayBeAlias(coins, to, 'receive');
  return isWhole ? coins : (await source.coinList()).coins;
}

/** The refused request in the spelling of the service's list; throws if it has a problem. */
export function correctedPair(coins: readonly Coin[], request: QuoteRequest, refusal: SwapctlError) {
  findCoin(coins, request.from, 'deposit');
  findCoin(coins, request.to, 'receive');
  // Perhaps for a network that was left out: 422, or words about networks.
  const { httpStatus, message } = refusal;
  const wantsNetworks = httpStatus === 422 || (httpStatus === 400 && /network/i.test(message));
  if (!wantsNetworks) return respelled(coins, request);
  const from = withOnlyNetwork(coins, request.from, 'deposit');
  const corrected = { ...request, from, to: withOnlyNetwork(coins, request.to, 'receive') };
  requireNetworks(coins, corrected);
  return corrected;
}

function respelled(coins: readonly Coin[], request: QuoteRequest): QuoteRequest {
  const [from, to] = [respell(coins, request.from, 'deposit'), respell(coins, request.to, 'receive')];
  return { ...request, from, to };
}

/** A coin as the coin list spells it, with its only network if it was named without one. */
function withOnlyNetwork(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): CoinOnNetwork {
  const { coin, networks, network } = findCoin(coins, ref, side);
  const known = network ?? (networks.length === 1 ? networks[0] : undefined);
  return { coin: coin.code, network: known?.network ?? null };
}

/** Throws `network_required` for a coin on several networks that was named without one, if the service requires one. */
function requireNetworks(coins: readonly Coin[], { from, to, amount, lastSource, type }: QuoteRequest): void {
  const side = from.network === null ? 'deposit' : 'receive';
  const ref = side === 'deposit' ? from : to;
  if (ref.network !== null) return;
  const { coin, networks } = findCoin(coins, ref, side);
  const choices = networks.map(({ network }) => coinLabel({ coin: coin.code, network }));
  const [first = ''] = choices;
  const pair = side === 'deposit' ? [first, coinLabel(to)] : [coinLabel(from), first];
  const flags = `${lastSource === 'receive' ? ' --receive' : ''}${type === 'fixed' ? ' --fixed' : ''}`;
  throw new UsageError(
    `${coin.code} can be ${sideVerb(side)} on several networks, and the service requires one of them.`,
    `Pass one of ${choices.join(', ')}, as in \`swapctl quote ${pair.map(shellQuote).join(' ')} ${amount}${flags}\`.`,
    'network_required',
    { coin: coin.code, choices },
  );
}

/** The sides of a pair whose network was left to the service, and that have several there. */
export function openNetworks(coins: readonly Coin[], { from, to }: Pick<QuoteRequest, 'from' | 'to'>) {
  const choicesOf = (ref: CoinOnNetwork, side: Side) => {
    const coin = ref.network === null ? findBySpelling(coins, ref.coin, ({ code }) => code) : undefined;
    if (coin === undefined || coin[side].length < 2) return [];
    const choices = coin[side].map(({ network }) => coinLabel({ coin: coin.code, network }));
    return [{ coin: coin.code, choices }];
  };
  return [...choicesOf(from, 'deposit'), ...choicesOf(to, 'receive')];
}

/** Refuses a coin against itself on one network: `BTC BTC` and `USDT:TRX USDT:TRX`, not `USDT:ETH USDT:TRX`. */
export function refuseSameSides(from: CoinOnNetwork, to: CoinOnNetwork): void {
  const same = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase();
  if (!same(from.coin, to.coin) || !same(from.network, to.network)) return;
  const [coin, network] = [from.coin.toUpperCase(), from.network?.toUpperCase()];
  const other = network === undefined ? `two networks of ${coin} as ${coin}:NETWORK` : 'another network';
  throw new UsageError(
    `Both sides are ${coin}${network === undefined ? '' : ` on ${network}`}: there is nothing to swap.`,
    `Pass another coin, or ${other}; see \`swapctl networks ${shellQuote(coin)}\`.`,
  );
}

import type { QuoteRequest } from '../../../client/client.ts';
import type { FoundCoin } from '../../../client/find-coin.ts';
import { findCoin, mayBeAlias, respell } from '../../../client/find-coin.ts';
import type { Context } from '../../../context.ts';
import type { SwapctlError } from '../../../errors.ts';
import { hasMixedCase } from '../../../swap/coin-ref.ts';
import { isAlias } from '../../../swap/networks/aliases.ts';
import type { Coin, CoinOnNetwork } from '../../../swap/swap.ts';
import { networkRequired, withOnlyNetworks } from './only-network.ts';
import { refuseSameSides } from './same-sides.ts';

/** What reads the coin list. */
export type CoinSource = Pick<Context, 'pairCoins' | 'coinList'>;

/** The request in the spelling of the service's list, with the service's own code for a network that is an alias. */
export async function spelledPair(context: CoinSource, request: QuoteRequest): Promise<QuoteRequest> {
  const { from, to } = request;
  const hasAlias = [from, to].some(({ network }) => network !== null && isAlias(network));
  if (!hasAlias && !hasMixedCase(from) && !hasMixedCase(to)) return respelled([], request);
  const coins = await coinsOfPair(context, request);
  if (!hasAlias) return respelled(coins, request);
  // A service may take a network that it does not know for another one, and price that.
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

/** The coins of a pair; the whole list where an alias has to be read, for no other coin may have it as its code. */
export async function coinsOfPair(
  context: CoinSource,
  { from, to }: Pick<QuoteRequest, 'from' | 'to'>,
): Promise<readonly Coin[]> {
  const coins = await context.pairCoins(from.coin, to.coin);
  const isWhole = !mayBeAlias(coins, from, 'deposit') && !mayBeAlias(coins, to, 'receive');
  return isWhole ? coins : (await context.coinList()).coins;
}

/** The refused request in the spelling of the service's list; throws what is wrong with it. */
export async function mendedPair(
  context: CoinSource,
  request: QuoteRequest,
  refusal: SwapctlError,
): Promise<QuoteRequest> {
  const coins = await coinsOfPair(context, request);
  findCoin(coins, request.from, 'deposit');
  findCoin(coins, request.to, 'receive');
  if (!wantsNetworks(refusal)) return respelled(coins, request);
  const mended = withOnlyNetworks(coins, request);
  const open = networkRequired(coins, mended);
  if (open !== null) throw open;
  return mended;
}

/** Whether a pair may have been refused for a network that was left out: 422, or words about networks. */
function wantsNetworks({ httpStatus, message }: SwapctlError): boolean {
  return httpStatus === 422 || (httpStatus === 400 && /network/i.test(message));
}

function respelled(coins: readonly Coin[], request: QuoteRequest): QuoteRequest {
  return {
    ...request,
    from: respell(coins, request.from, 'deposit'),
    to: respell(coins, request.to, 'receive'),
  };
}

import type { QuoteRequest } from '../../client/client.ts';
import { findCoin } from '../../client/find-coin.ts';
import { UsageError } from '../../errors.ts';
import { coinLabel } from '../../swap/coin-ref.ts';
import type { Coin, CoinOnNetwork, Side } from '../../swap/swap.ts';

/**
 * Refuses a coin against itself on the same network, which no service can price: `BTC BTC` and `USDT:TRX USDT:TRX`, but
 * not `USDT:ETH USDT:TRX`.
 */
export function refuseSameSides(from: CoinOnNetwork, to: CoinOnNetwork): void {
  const same = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase();
  if (!same(from.coin, to.coin) || !same(from.network, to.network)) return;
  const coin = from.coin.toUpperCase();
  if (from.network === null) {
    throw new UsageError(
      `Both sides are ${coin}: there is nothing to swap.`,
      `Name another coin, or two networks of ${coin} as in ${coin}:NETWORK; see \`swapctl networks ${coin}\`.`,
    );
  }
  throw new UsageError(
    `Both sides are ${coin} on ${from.network.toUpperCase()}: there is nothing to swap.`,
    `Name another coin, or another network; see \`swapctl networks ${coin}\`.`,
  );
}

/** A request spelled as the coin list spells it, with the only network of a coin that was named without one. */
export function withOnlyNetworks(coins: readonly Coin[], request: QuoteRequest): QuoteRequest {
  return {
    ...request,
    from: withOnlyNetwork(coins, request.from, 'deposit'),
    to: withOnlyNetwork(coins, request.to, 'receive'),
  };
}

function withOnlyNetwork(coins: readonly Coin[], ref: CoinOnNetwork, side: Side): CoinOnNetwork {
  const { coin, networks, network } = findCoin(coins, ref, side);
  const known = network ?? (networks.length === 1 ? networks[0] : undefined);
  return { coin: coin.code, network: known?.network ?? null };
}

/** The error for a coin without a network that has several, where the service wants one; null where all are named. */
export function networkRequired(coins: readonly Coin[], request: QuoteRequest): UsageError | null {
  const { from, to, amount, lastSource, type } = request;
  for (const [side, ref] of [['deposit', from] as const, ['receive', to] as const]) {
    if (ref.network !== null) continue;
    const { coin, networks } = findCoin(coins, ref, side);
    const choices = networks.map(({ network }) => coinLabel({ coin: coin.code, network }));
    const [first = ''] = choices;
    const other = coinLabel(side === 'deposit' ? to : from);
    const pair = side === 'deposit' ? `${first} ${other}` : `${other} ${first}`;
    const flags = `${lastSource === 'receive' ? ' --receive' : ''}${type === 'fixed' ? ' --fixed' : ''}`;
    return new UsageError(
      `${coin.code} can be ${side === 'deposit' ? 'deposited' : 'received'} on several networks, and the service wants to know which.`,
      `Write one of ${choices.join(', ')}, as in \`swapctl quote ${pair} ${amount}${flags}\`.`,
      'network_required',
      { coin: coin.code, choices },
    );
  }
  return null;
}

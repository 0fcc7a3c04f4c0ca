import type { QuoteRequest } from '../../../client/client.ts';
import { findCoin } from '../../../client/find-coin.ts';
import { UsageError } from '../../../errors.ts';
import { shellQuote } from '../../../files.ts';
import { coinLabel } from '../../../swap/coin-ref.ts';
import type { Coin, CoinOnNetwork, Side } from '../../../swap/swap.ts';

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
    const pair = (side === 'deposit' ? [first, other] : [other, first]).map(shellQuote).join(' ');
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

import { UsageError } from '../../../errors.ts';
import { shellQuote } from '../../../files.ts';
import type { CoinOnNetwork } from '../../../swap/swap.ts';

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
      `Name another coin, or two networks of ${coin} as in ${coin}:NETWORK; see \`swapctl networks ${shellQuote(coin)}\`.`,
    );
  }
  throw new UsageError(
    `Both sides are ${coin} on ${from.network.toUpperCase()}: there is nothing to swap.`,
    `Name another coin, or another network; see \`swapctl networks ${shellQuote(coin)}\`.`,
  );
}

import type { Context } from '../../context.ts';
import type { Asset, Coin } from '../../swap/swap.ts';
import { withProgress } from '../../terminal/progress.ts';

/** The coin list, with progress shown while it is read. */
export async function fetchedCoins(context: Context): Promise<readonly Coin[]> {
  const { coins } = await withProgress(context.streams, 'Reading the coin list', () => context.coinList());
  return coins;
}

/** A coin as the questions call it: `BTC`, or `USDT on TRX` where the network has another name. */
export function assetName({ coin, network }: Asset): string {
  return coin === network ? coin : `${coin} on ${network}`;
}

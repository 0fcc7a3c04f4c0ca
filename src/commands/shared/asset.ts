import type { Context } from '../../context.ts';
import type { Coin } from '../../swap/swap.ts';
import { withProgress } from '../../terminal/progress.ts';

/** A coin with its network decided. */
export interface Leg {
  readonly coin: string;
  readonly network: string;
}

/** The coin list, with progress shown while it is read. */
export async function coinList(context: Context): Promise<readonly Coin[]> {
  const { coins } = await withProgress(context.streams, 'Reading the coin list', () => context.catalogue());
  return coins;
}

/** A coin as the questions call it: `BTC`, or `USDT on TRX` where the network has another name. */
export function legName({ coin, network }: Leg): string {
  return coin === network ? coin : `${coin} on ${network}`;
}

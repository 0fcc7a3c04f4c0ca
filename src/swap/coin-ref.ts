import type { CoinOnNetwork } from './swap.ts';

/** Allowed form of coin and network codes: anything printable but a space and the colon between the two. */
const PART = /^[!-9;-~]{1,40}$/;

/** Parses a coin as typed, `COIN` or `COIN:NETWORK` in any case; null where it has neither form. */
export function parseCoinRef(text: string): CoinOnNetwork | null {
  const [coin = '', network, ...rest] = text.split(':');
  if (rest.length > 0 || !PART.test(coin)) return null;
  if (network === undefined) return { coin, network: null };
  return PART.test(network) ? { coin, network } : null;
}

/** A coin with its network for people and flags: `USDT:TRX`, or `BTC` alone. */
export function coinLabel(ref: CoinOnNetwork): string {
  return ref.network === null ? ref.coin : `${ref.coin}:${ref.network}`;
}

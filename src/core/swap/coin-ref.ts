import type { CoinOnNetwork } from './swap.ts';

/** Allowed form of coin and network codes: anything printable but a space and the colon between the two. */
const PART = /^[!-9;-~]{1,40}$/;

/** A chain id by CAIP-2 such as `eip155:56`: the only network with a colon in it. */
const CHAIN_ID = /^eip155:[1-9][0-9]{0,15}$/i;

/** Parses a coin as typed, `COIN` or `COIN:NETWORK` in any case; null if it has neither form. */
export function parseCoinRef(text: string): CoinOnNetwork | null {
  const [coin = '', ...rest] = text.split(':');
  if (!PART.test(coin)) return null;
  if (rest.length === 0) return { coin, network: null };
  const network = rest.join(':');
  return PART.test(network) || CHAIN_ID.test(network) ? { coin, network } : null;
}

/** A coin with its network for people and flags: `USDT:TRX`, or `BTC` alone. */
export function coinLabel(ref: CoinOnNetwork): string {
  return ref.network === null ? ref.coin : `${ref.coin}:${ref.network}`;
}

/** Whether a reference is typed in capitals and small letters, which may tell it from a coin that differs in nothing else. */
export function hasMixedCase({ coin, network }: CoinOnNetwork): boolean {
  return [coin, network ?? ''].some((code) => code !== code.toUpperCase() && code !== code.toLowerCase());
}

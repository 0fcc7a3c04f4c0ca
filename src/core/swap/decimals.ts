import { type Decimal, shortenBound, significantPlaces } from './amount.ts';
import decimals from './decimals.json';
import { findNetwork } from './networks/networks.ts';

/** Codes by their decimals, separated by spaces. */
type Table = Readonly<Record<string, string>>;

// From the documents and contracts of chains and tokens, independently of the sandbox's catalogue, so that a test can
// compare the two. Uncertain pairs are left out and then not checked.
/** The own coins of networks: `BTC` is that of BTC, `BSC:BNB` is BNB on BSC. */
const NATIVE: Table = decimals.native;
const TOKENS: Readonly<Record<string, Table>> = decimals.tokens;

/**
 * Decimals of a coin on a network; takes codes in any case and network aliases (ERC20 is ETH). Undefined if swapctl
 * is not certain, and then nothing must be checked. One coin can differ by network: USDT has 6 on ETH, 18 on BSC.
 */
export function assetDecimals(coin: string, network: string): number | undefined {
  const code = coin.toUpperCase();
  const chain = findNetwork(network)?.code ?? '';
  const tokens = Object.hasOwn(TOKENS, chain) ? TOKENS[chain] : undefined;
  return placesOf(chain === code ? code : `${chain}:${code}`, NATIVE) ?? placesOf(code, tokens ?? {});
}

function placesOf(word: string, table: Table): number | undefined {
  const places = Object.entries(table).find(([, words]) => words.split(' ').includes(word))?.[0];
  return places === undefined ? undefined : Number.parseInt(places, 10);
}

/** The decimals of a coin on its network and the amount rounded down to them, perhaps `0`; undefined if it fits. */
export function tooManyDecimals(amount: Decimal, coin: string, network: string) {
  const places = assetDecimals(coin, network);
  if (places === undefined || significantPlaces(amount) <= places) return undefined;
  return { places, fits: shortenBound(amount, places, 'down') };
}

import type { Decimal } from '../../core/swap/amount.ts';
import type { Side } from '../../core/swap/swap.ts';
import { readFileText } from '../json-file.ts';
import builtIn from './built-in.json';
import { readCatalogueFile, type SandboxAsset, type SandboxCoin } from './coin.ts';

/** The coins that a sandbox swaps, with functions that find one by code, network and side. */
export type Catalogue = ReturnType<typeof catalogueOf>;

/** The catalogue that the sandbox has without a `--catalog` file. */
export function builtInCatalogue(): Catalogue {
  return catalogueOf((builtIn.coins as unknown as readonly Row[]).map(coinOf), null);
}

/**
 * The catalogue in the text of a `--catalog` file; its shape is described at `readCatalogueFile`.
 * Throws UsageError naming its `source` and the path of the first thing that is wrong.
 */
export function parseCatalogue(text: string, source = 'Catalogue file'): Catalogue {
  return catalogueOf(readFileText(source, text, readCatalogueFile).coins, text);
}

/** A catalogue with its text as a file, null for the built-in one. */
export function catalogueOf(coins: readonly SandboxCoin[], source: string | null) {
  const find = finder(coins, (coin) => coin.code);
  const networks = new Map(coins.map((coin) => [coin, finder(coin.assets, (asset) => asset.network)]));
  return {
    coins,
    /** Text of the catalogue file, null for the built-in catalogue. */
    source,
    /** Finds a coin by its code: the exact spelling if there is one, otherwise any case. */
    findCoin: find,
    /**
     * Finds a coin on a network, if it is offered on that side; spelling as in `findCoin`. Without a network (undefined,
     * or empty as in queries): the coin's first network that offers the side.
     */
    findAsset(code: string, network: string | undefined, side: Side): SandboxAsset | undefined {
      const coin = find(code);
      if (coin === undefined) return undefined;
      if (network === undefined || network === '') return coin.assets.find((asset) => asset[side]);
      const asset = networks.get(coin)?.(network);
      return asset?.[side] === true ? asset : undefined;
    },
  };
}

function finder<T>(items: readonly T[], keyOf: (item: T) => string): (key: string) => T | undefined {
  const exact = new Map(items.map((item) => [keyOf(item), item]));
  // Of codes that differ only in case the first one wins, as in the listing.
  const folded = new Map([...items].reverse().map((item) => [keyOf(item).toUpperCase(), item]));
  return (key) => exact.get(key) ?? folded.get(key.toUpperCase());
}

/** A coin on one network: decimals, payout fee in the coin itself, and the only side that offers it. */
type Placement = readonly [decimals: number, payoutFee: Decimal, only?: Side];

/** A coin with its networks, the default one first. The price is an anchor, not a market price. */
type Row = readonly [code: string, name: string, usd: Decimal, networks: Readonly<Record<string, Placement>>];

/** Confirmations until a deposit counts, by the network's code, which is the chain's own ticker. */
const CONFIRMATIONS: Readonly<Record<string, number>> = builtIn.confirmations;

/** Decimals are those of the chain or of the token's contract on that network (USDT has 6 on Ethereum and 18 on BSC). */
function coinOf([code, name, usd, networks]: Row): SandboxCoin {
  const assets = Object.entries(networks).map(([network, [decimals, payoutFee, only]]) => {
    const confirmations = CONFIRMATIONS[network];
    if (confirmations === undefined)
      throw new RangeError(`${code} is on ${network}, which is not in the table.`);
    return {
      coin: code,
      network,
      decimals,
      confirmations,
      payoutFee,
      depositFee: '0',
      deposit: only !== 'receive',
      receive: only !== 'deposit',
      memoNeeded: builtIn.memoNeeded.includes(network),
    };
  });
  return { code, name, image: `/coins/${code.toLowerCase()}.svg`, usd, assets };
}

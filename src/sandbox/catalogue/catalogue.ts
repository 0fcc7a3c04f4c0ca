import type { Side } from '../../swap/swap.ts';
import { builtInCoins } from './built-in.ts';
import { readCatalogueFile, type SandboxAsset, type SandboxCoin } from './coin.ts';

/** The coins that the sandbox swaps. */
export interface Catalogue {
  readonly coins: readonly SandboxCoin[];
  /** Text of the catalogue file, null for the built-in catalogue. */
  readonly source: string | null;
  /** Finds a coin by its code: the exact spelling if there is one, otherwise any case. */
  findCoin(code: string): SandboxCoin | undefined;
  /**
   * Finds a coin on a network, if it is offered on that side; spelling as in {@link Catalogue.findCoin}. Without a
   * network (undefined, or empty as in queries): the coin's first network that offers the side.
   */
  findAsset(coin: string, network: string | undefined, side: Side): SandboxAsset | undefined;
}

/** The catalogue that the sandbox has without a `--catalog` file. */
export function builtInCatalogue(): Catalogue {
  return catalogueOf(builtInCoins(), null);
}

/**
 * The catalogue in the text of a `--catalog` file; its shape is described at `readCatalogueFile`.
 * Throws UsageError naming its `source` and the path of the first thing that is wrong.
 */
export function parseCatalogue(text: string, source = 'Catalogue file'): Catalogue {
  return catalogueOf(readCatalogueFile(text, source), text);
}

function catalogueOf(coins: readonly SandboxCoin[], source: string | null): Catalogue {
  const find = finder(coins, (coin) => coin.code);
  const networks = new Map(coins.map((coin) => [coin, finder(coin.assets, (asset) => asset.network)]));
  return {
    coins,
    source,
    findCoin: find,
    findAsset(code, network, side) {
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

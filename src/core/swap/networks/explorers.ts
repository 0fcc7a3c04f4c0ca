import explorers from './explorers.json';
import { findNetwork } from './networks.ts';

export type ExplorerKind = 'transaction' | 'address';

/** Address of an explorer's page; `{}` stands for the transaction id or the address. Null if it has no such page. */
type Pages = readonly [transaction: string, address: string | null];

/** Explorers whose pages are `/tx/{}` and `/address/{}`, by the code of the network. */
const PLAIN: Readonly<Record<string, string>> = explorers.plain;

const OTHERS = explorers.others as unknown as Readonly<Record<string, Pages>>;

/**
 * The page of a transaction or an address in the explorer of a network; null if none is known. `stored` has explorers
 * of the person's choice by network: each an address whose `/tx/…` and `/address/…` are the pages, or one with `{}` for a
 * transaction id.
 */
export function explorerUrl(
  network: string,
  kind: ExplorerKind,
  id: string,
  stored: (network: string) => string | null = () => null,
): string | null {
  const code = findNetwork(network)?.code ?? network.toUpperCase();
  const custom = stored(code);
  const ofStored = custom?.includes('{}')
    ? ([custom, null] as const)
    : plainPages(custom?.replace(/\/+$/, ''));
  const pages = custom === null ? (OTHERS[code] ?? plainPages(PLAIN[code])) : ofStored;
  const page = kind === 'transaction' ? pages?.[0] : pages?.[1];
  // A function, since `$&` in a replacement has a meaning.
  return page == null ? null : page.replace('{}', () => encodeURIComponent(id));
}

function plainPages(base: string | undefined): Pages | undefined {
  return base === undefined ? undefined : [`${base}/tx/{}`, `${base}/address/{}`];
}

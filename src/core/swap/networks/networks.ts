import { type Network, networkOf } from './network.ts';
import rows from './networks.json';

let known: readonly Network[] | undefined;

/**
 * Every network that swapctl knows; any other code is a network without a family. The table is built on first use: that
 * takes 5 ms, and a quote of coins without a network does without it.
 */
export function knownNetworks(): readonly Network[] {
  known ??= rows.map(networkOf);
  return known;
}

/** A code, alias or name without what does not count in it: case, spaces, hyphens, underscores, dots and brackets. */
export function plainCode(text: string): string {
  return text.toUpperCase().replace(/[\s_.()-]/g, '');
}

let byCode: ReadonlyMap<string, Network> | undefined;

/**
 * Finds the network by whose rules the addresses of a service's code are checked, in any case: `ERC20` is Ethereum,
 * `bep-20` BNB Smart Chain. That two codes have the same rules does not make them one network: see `aliases.ts`.
 */
export function findNetwork(code: string): Network | undefined {
  byCode ??= new Map(
    knownNetworks().flatMap((entry) =>
      [entry.code, ...entry.aliases, ...(entry.chainId === null ? [] : [plainCode(entry.chainId)])].map(
        (each) => [each, entry] as const,
      ),
    ),
  );
  return byCode.get(plainCode(code));
}

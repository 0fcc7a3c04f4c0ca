import { COSMOS_CHAINS, EVM_CHAINS, LONE_CHAINS, OTHER_CHAINS, UTXO_CHAINS } from './chains.ts';
import type { Network } from './network.ts';

/** Every network that swapctl knows; any other code is a network without a family. */
export const NETWORKS: readonly Network[] = [
  ...UTXO_CHAINS,
  ...EVM_CHAINS,
  ...COSMOS_CHAINS,
  ...OTHER_CHAINS,
  ...LONE_CHAINS,
];

/** A code, alias or name without what does not count in it: case, spaces, hyphens, underscores, dots and brackets. */
export function plainCode(text: string): string {
  return text.toUpperCase().replace(/[\s_.()-]/g, '');
}

const BY_CODE: ReadonlyMap<string, Network> = new Map(
  NETWORKS.flatMap((entry) =>
    [entry.code, ...entry.aliases, ...(entry.chainId === null ? [] : [plainCode(entry.chainId)])].map(
      (code) => [code, entry] as const,
    ),
  ),
);

/**
 * Finds the network by whose rules the addresses of a service's code are checked, in any case: `ERC20` is Ethereum,
 * `bep-20` BNB Smart Chain. That two codes have the same rules does not make them one network: see `aliases.ts`.
 */
export function findNetwork(code: string): Network | undefined {
  return BY_CODE.get(plainCode(code));
}

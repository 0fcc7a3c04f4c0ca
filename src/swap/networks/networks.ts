import { COSMOS_CHAINS } from './cosmos-chains.ts';
import { EVM_CHAINS } from './evm-chains.ts';
import { LONE_CHAINS } from './lone-chains.ts';
import type { Network } from './network.ts';
import { OTHER_CHAINS } from './other-chains.ts';
import { UTXO_CHAINS } from './utxo-chains.ts';

/** Every network that swapctl knows; any other code is a network without a family. */
export const NETWORKS: readonly Network[] = [
  ...UTXO_CHAINS,
  ...EVM_CHAINS,
  ...COSMOS_CHAINS,
  ...OTHER_CHAINS,
  ...LONE_CHAINS,
];

const BY_CODE: ReadonlyMap<string, Network> = new Map(
  NETWORKS.flatMap((entry) => [entry.code, ...entry.aliases].map((code) => [code, entry] as const)),
);

/**
 * Finds the network that a service's code means, in any case: `ERC20` is Ethereum, `bep-20` BNB Smart Chain.
 * Spaces, hyphens, underscores, dots and brackets in the code do not count.
 */
export function findNetwork(code: string): Network | undefined {
  return BY_CODE.get(code.toUpperCase().replace(/[\s_.()-]/g, ''));
}

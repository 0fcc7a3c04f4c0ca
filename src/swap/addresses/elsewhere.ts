import type { Family, Network } from '../networks/network.ts';
import { NETWORKS } from '../networks.ts';
import { loadFamily } from './families.ts';

// Families whose text carries no checksum, or (EVM) does not tell the chain, prove nothing about the network.
const TELLS_NOTHING: ReadonlySet<Family> = new Set(['eos', 'evm', 'move', 'near', 'solana']);

/**
 * Finds a known network, other than `except`, whose checksum an address carries.
 * Loads nearly every family, so it is for addresses about to be refused or not otherwise verified.
 */
export async function networkOf(address: string, except?: Network): Promise<Network | undefined> {
  for (const network of NETWORKS) {
    if (network === except || network.family === null || TELLS_NOTHING.has(network.family)) continue;
    const read = await loadFamily(network.family);
    const found = read(address, network.code);
    if (found.ok && found.checksummed) return network;
  }
  return undefined;
}

import type { Family, Network } from '../networks/network.ts';
import { NETWORKS } from '../networks/networks.ts';
import { decodeBase58Check } from './codecs/base58check.ts';
import { decodeBech32 } from './codecs/bech32.ts';
import { loadFamily } from './families/load.ts';
import { type ParseAddress, SYSTEM_ADDRESS } from './parsed-address.ts';
import { looksLikeEvm } from './refusal.ts';

/** A known network of which a text is an address, by its checksum; `burn` where nobody could spend it there. */
export interface OtherNetwork {
  readonly network: Network;
  readonly testnet: boolean;
  readonly burn: boolean;
}

interface Reader {
  readonly network: Network;
  readonly read: ParseAddress;
}

// Families whose addresses have no checksum or (EVM) do not determine the chain, so they prove nothing about the
// network.
const TELLS_NOTHING: ReadonlySet<Family> = new Set([
  'arweave',
  'eos',
  'evm',
  'graphene',
  'icon',
  'kadena',
  'move',
  'near',
  'solana',
]);

/**
 * Finds a known network, other than `except`, whose checksum an address carries; main networks come before test
 * networks. Loads nearly every family, so use it only for addresses that are about to be refused or cannot be verified
 * otherwise.
 */
export async function findOtherNetwork(address: string, except?: Network): Promise<OtherNetwork | undefined> {
  // Every EVM chain reads this, and no other one does.
  if (looksLikeEvm(address)) return undefined;
  // Half of all networks read nothing but these two encodings: not asking them in vain takes 24 µs instead of 29.
  const isBech32 = decodeBech32(address, false) !== undefined;
  const isEither = isBech32 || decodeBase58Check(address) !== undefined;
  let other: OtherNetwork | undefined;
  for (const { network, read } of await allReaders()) {
    if (network === except) continue;
    if ((network.family === 'bech32' && !isBech32) || (network.family === 'bitcoin' && !isEither)) continue;
    const found = read(address, network.code);
    if (found.ok && found.checksummed && !found.testnet && found.unspendable !== true)
      return { network, testnet: false, burn: false };
    const burn = found === SYSTEM_ADDRESS || (found.ok && found.unspendable === true);
    if (burn || (found.ok && found.checksummed)) other ??= { network, testnet: !burn, burn };
  }
  return other;
}

let readers: Promise<readonly Reader[]> | undefined;

function allReaders(): Promise<readonly Reader[]> {
  readers ??= Promise.all(
    NETWORKS.flatMap((network) => {
      const { family } = network;
      if (TELLS_NOTHING.has(family)) return [];
      return [loadFamily(family).then((read) => ({ network, read }))];
    }),
  );
  return readers;
}

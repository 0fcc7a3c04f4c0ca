import { type Family, knownNetworks, type Network } from '../networks/networks.ts';
import { decodeBase58Check } from './codecs/base58.ts';
import { decodeBech32 } from './codecs/bech32.ts';
import { PARSERS } from './families/parsers.ts';
import { REFUSED } from './parsed-address.ts';

/** A known network of which a text is an address, by its checksum; `burn` if no one can spend from it there. */
export interface OtherNetwork {
  readonly network: Network;
  readonly testnet: boolean;
  readonly burn: boolean;
}

// Families whose addresses have no checksum or (EVM) do not determine the chain, so they prove nothing about the
// network.
const WITHOUT_PROOF: ReadonlySet<Family> = new Set([
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

/** Finds a network other than `except` whose checksum a text carries, main networks first. Slow: for refusals only. */
export function findOtherNetwork(address: string, except?: Network): OtherNetwork | undefined {
  // Every EVM chain reads this, and no other one does.
  if (looksLikeEvm(address)) return undefined;
  // Half of all networks read nothing but these two encodings: skipping them takes a sixth off the time.
  const isBech32 = decodeBech32(address) !== undefined;
  const isEither = isBech32 || decodeBase58Check(address) !== undefined;
  let other: OtherNetwork | undefined;
  for (const network of knownNetworks()) {
    if (network === except || WITHOUT_PROOF.has(network.family)) continue;
    if ((network.family === 'bech32' && !isBech32) || (network.family === 'bitcoin' && !isEither)) continue;
    const found = PARSERS[network.family](address, network.code);
    if (found.ok && found.checksummed && !found.testnet && found.unspendable !== true)
      return { network, testnet: false, burn: false };
    const burn = found === REFUSED.system || (found.ok && found.unspendable === true);
    if (burn || (found.ok && found.checksummed)) other ??= { network, testnet: !burn, burn };
  }
  return other;
}

/** Whether a text is 0x and 40 digits: many networks share the form, and mistaking one costs the most. */
export function looksLikeEvm(address: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(address);
}

/** Families in which nearly any word is an address, or only the case of letters differs between two spellings. */
const WITHOUT_SPELLINGS: ReadonlySet<Family> = new Set(['eos', 'evm', 'graphene', 'hedera', 'near']);

/** The canonical spellings of a text on every known network of which it is an address. */
export function canonicalSpellings(text: string): readonly string[] {
  const networks = knownNetworks().filter(({ family }) => !WITHOUT_SPELLINGS.has(family));
  return networks.flatMap(({ family, code }) => {
    const read = PARSERS[family](text, code);
    return read.ok ? [read.canonical] : [];
  });
}

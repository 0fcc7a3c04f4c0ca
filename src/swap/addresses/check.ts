import type { Network } from '../networks/network.ts';
import { findNetwork } from '../networks.ts';
import { networkOf } from './elsewhere.ts';
import { loadFamily } from './families.ts';
import { type Reading, SYSTEM_ADDRESS } from './reading.ts';
import { screenAddress, secretReason } from './screen.ts';
import { looksLikeHexKey, looksLikeSeedPhrase, secretKind } from './secrets.ts';
import type { AcceptedAddress, AddressVerdict, RefusedAddress } from './verdict.ts';

/**
 * Checks a payout or refund address offline, by the rules of its network; never throws.
 * `networkCode` is a service's code in any case; one that is not in the table of networks is checked
 * for keys, seeds and other networks' addresses only, and accepted as not verified.
 * A test-network address is accepted with `testnet: true`: the caller decides by its profile.
 */
export async function checkAddress(networkCode: string, address: string): Promise<AddressVerdict> {
  const network = findNetwork(networkCode);
  if (looksLikeSeedPhrase(address)) return refuseSecret(network, networkCode, 'a seed phrase');
  const flaw = screenAddress(address);
  if (flaw !== undefined) return refuse(network, networkCode, flaw);
  if (network === undefined || network.family === null) return checkUnverified(network, networkCode, address);
  const read = await loadFamily(network.family);
  const result = read(address, network.code);
  if (result.ok && result.checksummed) return accept(network.code, result);
  const secret = secretKind(address);
  if (secret !== undefined) return refuseSecret(network, networkCode, secret);
  if (result === SYSTEM_ADDRESS) return refuse(network, networkCode, result.reason);
  if (!result.ok) return betterRefusal(network, networkCode, address, result.reason);
  // Any short text of letters and digits can be a NEAR name, and so can an address of another network.
  const other = network.family === 'near' ? await networkOf(address, network) : undefined;
  return other === undefined ? accept(network.code, result) : refuse(network, networkCode, belongsTo(other));
}

/** Says what the text is instead, where that can be told. */
async function betterRefusal(
  network: Network,
  networkCode: string,
  address: string,
  reason: string,
): Promise<RefusedAddress> {
  const other = await networkOf(address, network);
  if (other !== undefined) return refuse(network, networkCode, belongsTo(other));
  if (looksLikeHexKey(address)) return refuseSecret(network, networkCode, KEY_OR_HASH);
  const evm = looksLikeEvm(address) && network.family !== 'evm';
  return refuse(network, networkCode, evm ? EVM : reason);
}

const EVM = 'This is an address of Ethereum or another EVM network.';

/** Not one network's own, but nobody writes anything else like this, and it is the slip that costs most. */
function looksLikeEvm(address: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(address);
}

const KEY_OR_HASH = 'a private key or a hash';

async function checkUnverified(
  network: Network | undefined,
  networkCode: string,
  address: string,
): Promise<AddressVerdict> {
  if (address.length < 2) return refuse(network, networkCode, 'The address is too short.');
  const secret = secretKind(address);
  if (secret !== undefined) return refuseSecret(network, networkCode, secret);
  const other = await networkOf(address);
  if (other !== undefined) return refuse(network, networkCode, belongsTo(other));
  if (looksLikeHexKey(address)) return refuseSecret(network, networkCode, KEY_OR_HASH);
  // A network that is not in the table may be an EVM chain; those in it without a family are not.
  if (network !== undefined && looksLikeEvm(address)) return refuse(network, networkCode, EVM);
  const code = canonicalCode(network, networkCode);
  return {
    ok: true,
    network: code,
    kind: 'unverified',
    testnet: false,
    canonical: address,
    warnings: [
      `The address is not verified for network ${code}: swapctl does not know its rules, so compare every character.`,
    ],
    verified: false,
  };
}

function belongsTo(network: Network): string {
  return `This is an address of another network: ${network.name}.`;
}

function accept(network: string, { checksummed: _, ...result }: Reading): AcceptedAddress {
  return { ...result, network, verified: true };
}

function refuse(network: Network | undefined, networkCode: string, reason: string): RefusedAddress {
  const code = canonicalCode(network, networkCode);
  return { ok: false, network: code, reason, ...(network && { expected: network.expected }) };
}

function refuseSecret(network: Network | undefined, networkCode: string, kind: string): RefusedAddress {
  return { ...refuse(network, networkCode, secretReason(kind)), secret: true };
}

function canonicalCode(network: Network | undefined, networkCode: string): string {
  return network?.code ?? networkCode.trim().toUpperCase();
}

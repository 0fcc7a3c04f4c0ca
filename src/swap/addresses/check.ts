import { isTwelveWords } from '../../text.ts';
import type { Network } from '../networks/network.ts';
import { findNetwork } from '../networks/networks.ts';
import { PARSERS } from './families/parsers.ts';
import { findOtherNetwork } from './other-network.ts';
import { type ParsedAddress, SYSTEM_ADDRESS } from './parsed-address.ts';
import { hasSeedPhrase, SEED_PHRASE } from './phrases.ts';
import { joinGroups, precheckAddress } from './precheck.ts';
import { belongsTo, EVM, KEY_OR_HASH, looksLikeEvm, refuse, refuseSecret, type Target } from './refusal.ts';
import { keyInside, looksLikeHexKey, secretKind } from './secrets.ts';
import { checkUnverified } from './unverified.ts';
import type { AcceptedAddress, AddressVerdict, RefusedAddress } from './verdict.ts';

/**
 * Checks a payout or refund address offline, by the rules of its network; never throws. `networkCode` is a service's
 * code in any case. On an unknown network an address is accepted as not verified, unless it is valid nowhere: a key, a
 * seed, a burn address, or a text unlike any address. A test-network address is accepted with `testnet: true`: the
 * caller decides by its profile.
 */
export async function checkAddress(networkCode: string, given: string): Promise<AddressVerdict> {
  const network = findNetwork(networkCode);
  const address = network?.family === 'nimiq' ? joinGroups(given) : given;
  const target: Target = { code: network?.code ?? networkCode.trim().toUpperCase(), network };
  if (isTwelveWords(address) || (await hasSeedPhrase(address))) return refuseSecret(target, SEED_PHRASE);
  const flaw = precheckAddress(address);
  if (flaw !== undefined) return refuseFlawed(target, address, flaw);
  if (network === undefined) return checkUnverified(target, address);
  const result = PARSERS[network.family](address, network.code);
  if (result.ok && result.checksummed) return accept(network.code, result);
  const secret = secretKind(address);
  if (secret !== undefined) return refuseSecret(target, secret);
  if (!result.ok && result.secret !== undefined) return refuseSecret(target, result.secret);
  if (result === SYSTEM_ADDRESS) return refuse(target, result.reason);
  if (!result.ok) return betterRefusal(target, network, address, result.reason);
  // Any short text of letters and digits can be a NEAR name, and so can an address of another network.
  const other = network.family === 'near' ? findOtherNetwork(address, network) : undefined;
  return other === undefined ? accept(network.code, result) : refuse(target, belongsTo(other.network));
}

/** Refuses a flawed text. It may contain a key, which must not be shown either. */
function refuseFlawed(target: Target, address: string, flaw: string): RefusedAddress {
  const secret = keyInside(address);
  return secret === undefined ? refuse(target, flaw) : refuseSecret(target, secret);
}

/** The refusal that says what the text is instead, if that can be recognized. */
function betterRefusal(target: Target, network: Network, address: string, reason: string): RefusedAddress {
  const other = findOtherNetwork(address, network);
  if (other !== undefined) return refuse(target, belongsTo(other.network));
  if (looksLikeHexKey(address)) return refuseSecret(target, KEY_OR_HASH);
  if (looksLikeEvm(address) && !network.family.startsWith('evm')) return refuse(target, EVM);
  return refuseFlawed(target, address, reason);
}

function accept(network: string, { checksummed: _, ...result }: ParsedAddress): AcceptedAddress {
  return { ...result, network, verified: true };
}

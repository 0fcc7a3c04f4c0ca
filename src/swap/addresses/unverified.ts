import { PARSERS } from './families/parsers.ts';
import { findOtherNetwork } from './other-network.ts';
import { type ParseFailure, SYSTEM_ADDRESS } from './parsed-address.ts';
import { KEY_OR_HASH, looksLikeEvm, refuse, refuseSecret, type Target } from './refusal.ts';
import { keyInside, looksLikeHexKey } from './secrets.ts';
import type { AddressVerdict } from './verdict.ts';

const MIN_LENGTH = 2;

/**
 * Checks an address of a network whose rules are unknown: the service decides, and the person is asked. Refuses only
 * what is valid nowhere: foreign characters, keys, burn addresses, mixed case that contradicts EIP-55. Forks share the
 * forms of their origin chain, so an address of a known network is asked about, not refused.
 */
export function checkUnverified(target: Target, address: string): AddressVerdict {
  if (address.length < MIN_LENGTH) return refuse(target, 'The address is too short.');
  const other = findOtherNetwork(address);
  const secret = other === undefined ? keyOf(address) : undefined;
  if (secret !== undefined) return refuseSecret(target, secret);
  if (!/^[A-Za-z\d:._-]+$/.test(address)) return refuse(target, FOREIGN_CHARACTER);
  const flaw = other?.burn === true ? SYSTEM_ADDRESS : flawOf(address);
  if (flaw !== undefined) return refuse(target, flaw.reason);
  return {
    ok: true,
    network: target.code,
    kind: 'unverified',
    testnet: other?.testnet ?? false,
    canonical: address,
    warnings: [
      notVerified(target.code),
      ...(other === undefined ? [] : [looksLike(other.network.name, target.code)]),
    ],
    verified: false,
  };
}

const FOREIGN_CHARACTER =
  'The address has a character that no address has: only letters, digits, hyphens, underscores, dots and colons.';

function notVerified(code: string): string {
  return `The address is not verified for network ${code}: swapctl does not know its rules, so compare every character.`;
}

function looksLike(name: string, code: string): string {
  return `The address looks like one of ${name}, and the service calls the network ${code}: make sure that both are the same chain, or share their form of address.`;
}

function keyOf(address: string): string | undefined {
  return looksLikeHexKey(address) ? KEY_OR_HASH : keyInside(address);
}

/** Flaw of a text that can only be an EVM address, or is the address of a Solana program that every fork has too. */
function flawOf(address: string): ParseFailure | undefined {
  if (looksLikeEvm(address)) {
    const read = PARSERS.evm(address, 'ETH');
    return read.ok ? undefined : read;
  }
  return PARSERS.solana(address, 'SOL') === SYSTEM_ADDRESS ? SYSTEM_ADDRESS : undefined;
}

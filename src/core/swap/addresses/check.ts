import { findNetwork, type Network } from '../networks/networks.ts';
import { isTwelveWords, SEED_PHRASE } from '../secret-forms.ts';
import { PARSERS } from './families/parsers.ts';
import { findOtherNetwork, looksLikeEvm } from './other-network.ts';
import type {
  AcceptedAddress,
  AddressVerdict,
  ParsedAddress,
  ParseFailure,
  RefusedAddress,
} from './parsed-address.ts';
import { REFUSED } from './parsed-address.ts';
import { hasSeedPhrase } from './phrases.ts';
import { KEY_OR_HASH_LABEL, keyInside, looksLikeHexKey, secretKind, secretReason } from './secrets.ts';

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
  if (result === REFUSED.system) return refuse(target, result.reason);
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
  // The system addresses of a network have no checksum that would prove that one of them is meant.
  if (other?.burn === false) return refuse(target, belongsTo(other.network));
  if (looksLikeHexKey(address)) return refuseSecret(target, KEY_OR_HASH_LABEL);
  if (looksLikeEvm(address) && !network.family.startsWith('evm')) return refuse(target, EVM);
  return refuseFlawed(target, address, reason);
}

function accept(network: string, { checksummed: _, ...result }: ParsedAddress): AcceptedAddress {
  return { ...result, network, verified: true };
}

const MIN_LENGTH = 2;

/**
 * Checks an address of a network whose rules are unknown: the service decides, and the person is asked. Refuses only
 * what is valid nowhere: foreign characters, keys, burn addresses, mixed case that contradicts EIP-55. Forks share the
 * forms of their origin chain, so an address of a known network is asked about, not refused.
 */
function checkUnverified(target: Target, address: string): AddressVerdict {
  if (address.length < MIN_LENGTH) return refuse(target, 'The address is too short.');
  const other = findOtherNetwork(address);
  const secret = other === undefined ? keyInside(address) : undefined;
  if (secret !== undefined) return refuseSecret(target, secret);
  if (!/^[A-Za-z\d:._-]+$/.test(address)) return refuse(target, FOREIGN_CHARACTER);
  const flaw = other?.burn === true ? REFUSED.system : flawOf(address);
  if (flaw !== undefined) return refuse(target, flaw.reason);
  const { code } = target;
  const warnings = [
    `The address is not verified for network ${code}: swapctl does not know its rules, so compare every character.`,
  ];
  if (other !== undefined)
    warnings.push(
      `The address looks like one of ${other.network.name}, but the service calls the network ${code}: make sure that both are the same chain or use the same address format.`,
    );
  const more = { testnet: other?.testnet === true, canonical: address, warnings, verified: false };
  return { ok: true, network: code, kind: 'unverified', ...more };
}

const FOREIGN_CHARACTER =
  'The address has an invalid character: use only letters, digits, hyphens, underscores, dots and colons.';

/** Flaw of a text that can only be an EVM address, or is the address of a Solana program that every fork has too. */
function flawOf(address: string): ParseFailure | undefined {
  if (looksLikeEvm(address)) {
    const read = PARSERS.evm(address);
    return read.ok ? undefined : read;
  }
  return PARSERS.solana(address) === REFUSED.system ? REFUSED.system : undefined;
}

/** Maximum length of an address, in UTF-16 units; decoding base58 is quadratic. */
const MAX_ADDRESS_LENGTH = 256;

/** Why a text can be no address, by its length and characters, never repeating it; undefined if it may be one. */
function precheckAddress(address: string): string | undefined {
  if (address.length === 0) return 'The address is empty.';
  if (address.length > MAX_ADDRESS_LENGTH) return 'The address is longer than 256 characters.';
  if (/\s/.test(address)) return 'The address contains or is surrounded by whitespace.';
  if (!/^[\x21-\x7e]*$/.test(address))
    return 'The address has a character that is not plain ASCII: it may be a lookalike or invisible character.';
  return undefined;
}

/** Joins the groups of a Nimiq address, whose single spaces belong to it; any other text stays as it is. */
function joinGroups(address: string): string {
  return /^NQ\d\d(?: [0-9A-Z]{4}){8}$/.test(address) ? address.replaceAll(' ', '') : address;
}

/** The network that an address is checked for: its canonical code, and its row in the table if it has one. */
interface Target {
  readonly code: string;
  readonly network: Network | undefined;
}

/** Refuses an address for a reason: a full sentence that never repeats it. */
function refuse({ code, network }: Target, reason: string): RefusedAddress {
  return { ok: false, network: code, reason, ...(network && { expected: network.expected }) };
}

/** Refuses a key or a seed, which is named with its article and never shown. */
function refuseSecret(target: Target, kind: string): RefusedAddress {
  return { ...refuse(target, secretReason(kind)), secret: true };
}

const EVM = 'This is an address of Ethereum or another EVM network.';

function belongsTo(network: Network): string {
  return `This is an address of another network: ${network.name}.`;
}

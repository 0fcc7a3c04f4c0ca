import { decodeBase58Check } from '../codecs/base58.ts';
import { allZero } from '../codecs/bytes.ts';
import { decodeCashaddr, encodeCashaddr } from '../codecs/cashaddr.ts';
import { accepted, type ParseResult, REFUSED, refused, UNSPENDABLE } from '../parsed-address.ts';
import { isBurnHash } from './bitcoin.ts';

interface Chain {
  readonly main: string;
  readonly test: readonly string[];
  readonly tokens: boolean;
}

const CHAINS: Readonly<Record<string, Chain>> = {
  BCH: { main: 'bitcoincash', test: ['bchtest', 'bchreg'], tokens: true },
  XEC: { main: 'ecash', test: ['ectest', 'ecregtest'], tokens: false },
};

// Bits 3 to 6 of the version byte are the kind, bits 0 to 2 the size, bit 7 is reserved (spec/cashaddr.md, CHIP-2022-02).
const KINDS: ReadonlyMap<number, string> = new Map([
  [0x00, 'p2pkh'],
  [0x08, 'p2sh'],
  [0x0b, 'p2sh32'],
  [0x10, 'token-p2pkh'],
  [0x18, 'token-p2sh'],
  [0x1b, 'token-p2sh32'],
]);

// Letters that a version byte, a hash of 20 or 32 bytes and the checksum take: no other length is worth its decoding.
const PAYLOAD_LENGTHS: readonly number[] = [42, 61];

// Legacy version byte: the CashAddr version byte and whether it is of a test network.
const LEGACY: ReadonlyMap<number, readonly [number, boolean]> = new Map([
  [0x00, [0x00, false]],
  [0x05, [0x08, false]],
  [0x6f, [0x00, true]],
  [0xc4, [0x08, true]],
]);

const P2SH32 = 'This is a 32-byte script address, which older wallets and services cannot pay.';
const CASH_TOKENS_WARNING =
  'This form means that the wallet supports CashTokens: some services cannot pay it.';
const CONVERTED_WARNING =
  'This legacy form is also a Bitcoin address: it was converted, so make sure that the wallet is for this chain.';

/** Parses CashAddr addresses of Bitcoin Cash and eCash, with or without prefix, and converts legacy ones. */
export function parseBitcoinCash(address: string, code: string): ParseResult {
  const chain = CHAINS[code];
  if (chain === undefined) return refused('swapctl has no CashAddr prefix for this chain.');
  return parseCashaddr(address, chain) ?? parseLegacy(address, chain) ?? REFUSED.network;
}

function parseCashaddr(address: string, chain: Chain): ParseResult | undefined {
  const lower = address.toLowerCase();
  if (address !== lower && address !== address.toUpperCase()) return undefined;
  const colon = lower.indexOf(':');
  const prefixes = [chain.main, ...chain.test].filter((p) => colon === -1 || p === lower.slice(0, colon));
  const payload = lower.slice(colon + 1);
  if (!PAYLOAD_LENGTHS.includes(payload.length)) return undefined;
  for (const prefix of prefixes) {
    const bytes = decodeCashaddr(prefix, payload);
    if (bytes !== undefined) return parsePayload(bytes, prefix, `${prefix}:${payload}`, chain);
  }
  return undefined;
}

function parsePayload(bytes: Uint8Array, prefix: string, canonical: string, chain: Chain) {
  const kind = KINDS.get(bytes[0] ?? -1);
  if (kind === undefined || bytes.length !== (kind.endsWith('32') ? 33 : 21)) return undefined;
  if (!chain.tokens && kind !== 'p2pkh' && kind !== 'p2sh') return undefined;
  if (isBurnHash(bytes.subarray(1))) return REFUSED.system;
  const warnings = [
    ...(kind.endsWith('32') ? [P2SH32] : []),
    ...(kind.startsWith('token') ? [CASH_TOKENS_WARNING] : []),
  ];
  return accepted(kind, canonical, { testnet: prefix !== chain.main, warnings });
}

function parseLegacy(address: string, chain: Chain): ParseResult | undefined {
  const bytes = decodeBase58Check(address);
  const legacy = LEGACY.get(bytes?.[0] ?? -1);
  if (bytes?.length !== 21 || legacy === undefined) return undefined;
  const [version, testnet] = legacy;
  if (isBurnHash(bytes.subarray(1))) return REFUSED.system;
  const prefix = testnet ? (chain.test[0] ?? chain.main) : chain.main;
  const payload = encodeCashaddr(prefix, Uint8Array.from([version, ...bytes.subarray(1)]));
  return accepted('legacy', `${prefix}:${payload}`, { testnet, warnings: [CONVERTED_WARNING] });
}

const KASPA_PREFIXES = ['kaspa', 'kaspatest', 'kaspadev', 'kaspasim'];

// Version byte, kind and payload length (rusty-kaspa, crypto/addresses).
const KASPA_VERSIONS: ReadonlyMap<number, readonly [string, number]> = new Map([
  [0, ['schnorr', 32]],
  [1, ['ecdsa', 33]],
  [8, ['script-hash', 32]],
]);

/** Parses a Kaspa address: `kaspa:` and a lower-case payload under the code of CashAddr. */
export function parseKaspa(address: string): ParseResult {
  const prefix = KASPA_PREFIXES.find((one) => address.startsWith(`${one}:`));
  if (prefix === undefined) return refused('The address must begin with kaspa: in full.');
  const bytes = decodeCashaddr(prefix, address.slice(prefix.length + 1));
  const [kind, length] = KASPA_VERSIONS.get(bytes?.[0] ?? -1) ?? [];
  if (bytes === undefined || kind === undefined || bytes.length - 1 !== length) return REFUSED.length;
  const more = allZero(bytes.subarray(1)) ? UNSPENDABLE : {};
  return accepted(kind, address, { testnet: prefix !== 'kaspa', ...more });
}

/** The alphabet of CIP-37, from which i, l, o and q are left out. */
export const CONFLUX_ALPHABET = 'abcdefghjkmnprstuvwxyz0123456789';
const CONFLUX_TEST = 'cfxtest';

// The first four bits of an account are its type (CIP-37, address type).
const CONFLUX_TYPES: ReadonlyMap<number, string> = new Map([
  [0x00, 'builtin'],
  [0x10, 'user'],
  [0x80, 'contract'],
]);

/**
 * Parses an address of Conflux Core: `cfx:`, perhaps the type, and 20 bytes under the code of CashAddr, in one case.
 * Source: https://github.com/Conflux-Chain/CIPs/blob/master/CIPs/cip-37.md
 */
export function parseConflux(address: string): ParseResult {
  const lower = address.toLowerCase();
  if (address !== lower && address !== address.toUpperCase()) return refused('The address mixes cases.');
  const [prefix = '', ...rest] = lower.split(':');
  const payload = rest.pop() ?? '';
  if (prefix !== 'cfx' && prefix !== CONFLUX_TEST)
    return refused('The address must begin with cfx: in full.');
  const bytes = decodeCashaddr(prefix, payload, CONFLUX_ALPHABET);
  // The version byte is zero: no other type and no other length are known.
  if (bytes?.length !== 21 || bytes[0] !== 0) return REFUSED.length;
  const account = bytes.subarray(1);
  const kind = allZero(account) ? 'null' : CONFLUX_TYPES.get((account[0] ?? 0) & 0xf0);
  if (kind === undefined) return refused('The address is of a type that Conflux does not have.');
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== `type.${kind}`))
    return refused('The type prefix does not match the type of the address.');
  const system = kind === 'null' || kind === 'builtin' ? UNSPENDABLE : {};
  return accepted(kind, `${prefix}:${payload}`, { testnet: prefix === CONFLUX_TEST, ...system });
}

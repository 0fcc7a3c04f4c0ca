import { allZero } from '../../codecs/bytes.ts';
import { decodeCashaddr } from '../../codecs/cashaddr.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../../parsed-address.ts';

/** The alphabet of CIP-37, from which i, l, o and q are left out. */
export const CONFLUX_ALPHABET = 'abcdefghjkmnprstuvwxyz0123456789';
const TEST = 'cfxtest';

// The first four bits of an account are its type (CIP-37, address type).
const TYPES: ReadonlyMap<number, string> = new Map([
  [0x00, 'builtin'],
  [0x10, 'user'],
  [0x80, 'contract'],
]);

const UNREADABLE = 'The address has the wrong checksum or length.';

/**
 * Parses an address of Conflux Core: `cfx:`, perhaps the type, and 20 bytes under the code of CashAddr, in one case.
 * Source: https://github.com/Conflux-Chain/CIPs/blob/master/CIPs/cip-37.md
 */
export function parseConflux(address: string): ParsedAddress | ParseFailure {
  const lower = address.toLowerCase();
  if (address !== lower && address !== address.toUpperCase()) return parseFailure('The address mixes cases.');
  const [prefix = '', ...rest] = lower.split(':');
  const payload = rest.pop() ?? '';
  if (prefix !== 'cfx' && prefix !== TEST) return parseFailure('The address must begin with cfx: in full.');
  const bytes = decodeCashaddr(prefix, payload, CONFLUX_ALPHABET);
  // The version byte is zero: no other type and no other length are known.
  if (bytes?.length !== 21 || bytes[0] !== 0) return parseFailure(UNREADABLE);
  const account = bytes.subarray(1);
  const kind = allZero(account) ? 'null' : TYPES.get((account[0] ?? 0) & 0xf0);
  if (kind === undefined) return parseFailure('The address is of a type that Conflux does not have.');
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== `type.${kind}`)) {
    return parseFailure('The type in front of the address is not the type of the address.');
  }
  const isSystem = kind === 'null' || kind === 'builtin';
  return parsedAddress(kind, `${prefix}:${payload}`, {
    testnet: prefix === TEST,
    ...(isSystem ? UNSPENDABLE : {}),
  });
}

import { allZero } from '../../codecs/bytes.ts';
import { decodeCashaddr } from '../../codecs/cashaddr.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../../parsed-address.ts';

const TEST_PREFIXES = ['kaspatest', 'kaspadev', 'kaspasim'];

// Version byte, kind and payload length (rusty-kaspa, crypto/addresses).
const VERSIONS: ReadonlyMap<number, readonly [string, number]> = new Map([
  [0, ['schnorr', 32]],
  [1, ['ecdsa', 33]],
  [8, ['script-hash', 32]],
]);

/** Parses a Kaspa address: `kaspa:` and a lower-case payload under the code of CashAddr. */
export function parseKaspa(address: string): ParsedAddress | ParseFailure {
  const colon = address.indexOf(':');
  const prefix = address.slice(0, Math.max(colon, 0));
  const testnet = TEST_PREFIXES.includes(prefix);
  if (prefix !== 'kaspa' && !testnet) return parseFailure('The address must begin with kaspa: in full.');
  const bytes = decodeCashaddr(prefix, address.slice(colon + 1));
  const [kind, length] = VERSIONS.get(bytes?.[0] ?? -1) ?? [];
  if (bytes === undefined || kind === undefined || bytes.length - 1 !== length) {
    return parseFailure('The address has the wrong checksum or length.');
  }
  return parsedAddress(kind, address, { testnet, ...(allZero(bytes.subarray(1)) ? UNSPENDABLE : {}) });
}

import { decodeBase58Check } from '../../codecs/base58check.ts';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

// Neo Legacy and Ontology share a version byte: https://docs.neo.org/v2/docs/en-us/tooldev/wallets.html and
// https://github.com/ontio/ontology/blob/master/common/address.go; N3 has its own: https://docs.neo.org/docs/n3/foundation/Wallet
const LEGACY = 0x17;
const N3 = 0x35;

const OLD =
  'This is the older form (Neo Legacy), whose network was to close in October 2025; Neo N3 addresses begin with N: use it only if the service says that it pays there.';

// The contracts of the two coins themselves: what is sent to a coin's own contract stays there.
const NATIVE: ReadonlySet<string> = new Set([
  'NiHURyS83nX2mpxtA7xq84cGxVbHojj5Wc',
  'NepwUjd9GhqgNkrfXaxj9mmsFhFzGoFuWM',
]);

/** Parses an address of Neo (N3 or Legacy) or Ontology: base58check of a version byte and a 20-byte script hash. */
export function parseNeo(address: string, code: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  const version = bytes?.[0];
  const hash = bytes?.subarray(1);
  if (hash?.length !== 20) return parseFailure('The address has the wrong checksum or length.');
  if (version !== LEGACY && (version !== N3 || code === 'ONT')) {
    return parseFailure('The address is not one of this network.');
  }
  // Native contracts of Ontology have the lowest numbers as their hashes.
  if (allZero(hash.subarray(0, 18)) || NATIVE.has(address)) return SYSTEM_ADDRESS;
  if (version === N3) return parsedAddress('n3', address);
  return code === 'ONT'
    ? parsedAddress('account', address)
    : parsedAddress('legacy', address, { warnings: [OLD] });
}

import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const NO_CHECKSUM = 'Kadena accounts carry no checksum: compare every character with the source.';
const SHARED = 'This account is held by several keys (w:): make sure that the service can pay such accounts.';

/**
 * Parses a Kadena account that is defined by its keys: `k:` and a public key of 64 hexadecimal digits, or `w:` and the
 * hash of several. A free name is refused: on each of the twenty chains it belongs to whoever took it first. Source:
 * https://github.com/kadena-io/KIPs/blob/master/kip-0017.md (account protocols)
 */
export function parseKadena(address: string): ParsedAddress | ParseFailure {
  if (/^k:[0-9a-f]{64}$/.test(address)) {
    if (/^k:0+$/.test(address)) return SYSTEM_ADDRESS;
    return parsedAddress('single-key', address, { checksummed: false, warnings: [NO_CHECKSUM] });
  }
  if (/^w:[\w-]{43}:[a-z][a-z\d.-]*$/.test(address)) {
    return parsedAddress('multi-key', address, { checksummed: false, warnings: [NO_CHECKSUM, SHARED] });
  }
  return parseFailure(
    'An account is k: and exactly 64 lower-case hexadecimal digits; free names are not taken, for each chain may give one to somebody else.',
  );
}

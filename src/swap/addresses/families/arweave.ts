import { base64urlnopad } from '@scure/base';
import { decodeBech32 } from '../codecs/bech32.ts';
import { allZero, decodeCanonical } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const NO_CHECKSUM =
  'Arweave addresses carry no checksum, and transactions look the same: compare every character with the source.';

/** Parses an Arweave address: 43 characters of base64url, the SHA-256 of a key (https://docs.arweave.org/developers/arweave-node-server/http-api). */
export function parseArweave(address: string): ParsedAddress | ParseFailure {
  const hash = address.length === 43 ? decodeCanonical(base64urlnopad, address) : undefined;
  // Accounts of many chains are 43 letters of bech32 too, and a quarter of these would pass.
  if (hash === undefined || decodeBech32(address) !== undefined) {
    return parseFailure('An address is 43 letters, digits, hyphens and underscores.');
  }
  if (allZero(hash)) return SYSTEM_ADDRESS;
  return parsedAddress('account', address, { checksummed: false, warnings: [NO_CHECKSUM] });
}

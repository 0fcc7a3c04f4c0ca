import { decodeBech32, wordsToBytes } from '../../codecs/bech32.ts';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const TEST = 'txch';

/**
 * Parses a Chia address: bech32m of the 32-byte hash of a puzzle (https://docs.chia.net/reference-client/rpc-reference/
 * and chia/util/bech32m.py).
 */
export function parseChia(address: string): ParsedAddress | ParseFailure {
  const decoded = decodeBech32(address);
  if (decoded?.encoding !== 'bech32m') return parseFailure('The address has the wrong checksum or length.');
  if (decoded.prefix !== 'xch' && decoded.prefix !== TEST) {
    return parseFailure('The address must begin with xch1.');
  }
  const hash = wordsToBytes(decoded.words);
  if (hash?.length !== 32) return parseFailure('The address has the wrong length.');
  // People burn at 0x00…00 and 0x00…dead.
  if (allZero(hash.subarray(0, 30))) return SYSTEM_ADDRESS;
  return parsedAddress('puzzle-hash', address.toLowerCase(), { testnet: decoded.prefix === TEST });
}

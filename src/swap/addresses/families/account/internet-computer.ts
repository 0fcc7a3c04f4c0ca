import { hexToBytes } from '@noble/hashes/utils.js';
import { crc32 } from '../../codecs/crc.ts';
import { type ParsedAddress, type ParseFailure, parsedAddress, parseFailure } from '../../parsed-address.ts';

/** Parses an account identifier of the ICP ledger: 64 hexadecimal digits, CRC-32 first (ICP ledger, account identifier). */
export function parseInternetComputer(address: string): ParsedAddress | ParseFailure {
  if (!/^[0-9a-f]{64}$/i.test(address))
    return parseFailure('An account identifier is 64 hexadecimal digits.');
  const bytes = hexToBytes(address);
  const checksum = bytes.subarray(0, 4).reduce((sum, byte) => sum * 256 + byte, 0);
  if (checksum !== crc32(bytes.subarray(4)))
    return parseFailure('The account identifier has the wrong checksum.');
  return parsedAddress('account-id', address.toLowerCase());
}

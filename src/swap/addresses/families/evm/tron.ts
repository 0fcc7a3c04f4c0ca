import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check } from '../../codecs/base58check.ts';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

// The account named Blackhole in the genesis block: TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy.
const BLACK_HOLE = '77944d19c052b73ee2286823aa83f8138cb7032f';

/** Parses a TRON address: base58check of 0x41 and 20 bytes (TRON protocol, account module); the hex form is not taken. */
export function parseTron(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 21) return parseFailure('The address has the wrong checksum or length.');
  if (bytes[0] === 0xa0)
    return parseFailure('This is an address of a TRON test network that no longer exists.');
  if (bytes[0] !== 0x41) return parseFailure('The address is not one of TRON.');
  const hash = bytes.subarray(1);
  // As on Ethereum, the lowest numbers are precompiled contracts.
  if (allZero(hash.subarray(0, 18)) || bytesToHex(hash) === BLACK_HOLE) return SYSTEM_ADDRESS;
  return parsedAddress('account', address);
}

import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

// Contract addresses end below 2^251 − 256; the numbers below 16 are kept for the network itself.
const END = 2n ** 251n - 256n;
const FIRST_ACCOUNT = 16n;
const KECCAK_MASK = 2n ** 250n - 1n;

const LOWER_CASE =
  'The address is all in lower case, so it carries no checksum: compare every character with the source.';
const SHORT =
  'The address is far shorter than those of accounts, and may be one of Ethereum: make sure that the wallet is one for Starknet.';

/** Parses a Starknet address: `0x` and 1 to 64 hexadecimal digits, whose capitals must fit its own checksum. */
export function parseStarknet(address: string): ParsedAddress | ParseFailure {
  if (!address.startsWith('0x')) return parseFailure('The address must begin with 0x.');
  const digits = address.slice(2);
  if (!/^[\da-f]{1,64}$/i.test(digits))
    return parseFailure('After 0x 1 to 64 hexadecimal digits must follow.');
  const value = BigInt(address);
  if (value >= END) return parseFailure('The number is too large for an address of Starknet.');
  if (value < FIRST_ACCOUNT) return SYSTEM_ADDRESS;
  const canonical = toStarknetChecksum(value);
  const lower = digits.toLowerCase();
  // Zeros in front have no case, so an address that is written without them keeps its checksum.
  const fits = canonical.endsWith(digits);
  if (!fits && digits !== lower) {
    return parseFailure('The capital letters do not fit the checksum of Starknet: a character is wrong.');
  }
  const short = value < 2n ** 200n ? [SHORT] : [];
  // Without a letter there is no case to check.
  if (fits && digits !== lower) return parsedAddress('account', canonical, { warnings: short });
  return parsedAddress('account', canonical, { checksummed: false, warnings: [LOWER_CASE, ...short] });
}

/** Writes an address as `0x` and all 64 digits, in capitals where the Starknet keccak of its bytes has a high digit. */
export function toStarknetChecksum(value: bigint): string {
  const hex = value.toString(16);
  const bytes = keccak_256(hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`));
  const hash = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) & KECCAK_MASK;
  const marks = hash.toString(16).padStart(64, '0');
  const letters = [...hex.padStart(64, '0')].map((digit, i) =>
    marks.charAt(i) >= '8' ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

import { blake2b } from '@noble/hashes/blake2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../../parsed-address.ts';

const ALPHABET = '13456789abcdefghijkmnopqrstuwxyz';

// The first prefix is the one in use.
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  XNO: ['nano_', 'xrb_'],
  BAN: ['ban_'],
};

/** Parses a Nano or Banano account: prefix, 52 characters of key and 8 of checksum (Nano docs, account format). */
export function parseNano(address: string, code: string): ParsedAddress | ParseFailure {
  const prefixes = PREFIXES[code] ?? [];
  const prefix = prefixes.find((candidate) => address.startsWith(candidate));
  if (prefix === undefined) return parseFailure(`The account must begin with ${prefixes[0]}.`);
  const body = address.slice(prefix.length);
  const key = body.length === 60 ? decodeNumber(body.slice(0, 52), 32) : undefined;
  const checksum = decodeNumber(body.slice(52), 5);
  if (key === undefined || checksum === undefined)
    return parseFailure('The account has the wrong length or alphabet.');
  const expected = blake2b(key, { dkLen: 5 }).reverse();
  if (!expected.every((byte, i) => byte === checksum[i]))
    return parseFailure('The account has the wrong checksum.');
  return parsedAddress('account', `${prefixes[0]}${body}`, allZero(key) ? UNSPENDABLE : {});
}

// The text is one big number in base 32, whose surplus high bits are zero.
function decodeNumber(text: string, length: number): Uint8Array | undefined {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 32n + BigInt(digit);
  }
  if (value >> BigInt(length * 8)) return undefined;
  return hexToBytes(value.toString(16).padStart(length * 2, '0'));
}

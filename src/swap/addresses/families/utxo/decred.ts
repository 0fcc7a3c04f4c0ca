import { blake256 } from '@noble/hashes/blake1.js';
import { decodeBase58 } from '../../codecs/base58.ts';
import { withoutChecksum } from '../../codecs/base58check.ts';
import type { ParsedAddress, ParseFailure } from '../../parsed-address.ts';
import { parseWith } from './bitcoin.ts';

// Two version bytes, hash and checksum.
const LENGTH = 26;
const FIRST_BYTES = [0x07, 0x0e, 0x0f];

/** Parses an address of Decred: key hash (Ds…) or script hash (Dc…) in base58 with a checksum of BLAKE-256 twice. */
export function parseDecred(address: string, code: string): ParsedAddress | ParseFailure {
  return parseWith(decode, address, code);
}

function decode(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes?.length !== LENGTH || !FIRST_BYTES.includes(bytes[0] ?? -1)) return undefined;
  return withoutChecksum(bytes, (body) => blake256(blake256(body)));
}

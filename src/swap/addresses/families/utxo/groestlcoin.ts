import { decodeBase58 } from '../../codecs/base58.ts';
import { withoutChecksum } from '../../codecs/base58check.ts';
import { groestl512 } from '../../codecs/groestl.ts';
import type { ParsedAddress, ParseFailure } from '../../parsed-address.ts';
import { parseWith } from './bitcoin.ts';

// Version byte, hash and checksum. The hash costs a millisecond, so it is for texts that can be of this chain alone.
const LENGTH = 25;
const VERSIONS = [0x24, 0x05, 0x6f, 0xc4];

/** Parses an address of Groestlcoin: Bitcoin's forms, base58 with a checksum of Grøstl-512 twice. */
export function parseGroestlcoin(address: string, code: string): ParsedAddress | ParseFailure {
  return parseWith(decode, address, code);
}

function decode(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes?.length !== LENGTH || !VERSIONS.includes(bytes[0] ?? -1)) return undefined;
  return withoutChecksum(bytes, (body) => groestl512(groestl512(body)));
}

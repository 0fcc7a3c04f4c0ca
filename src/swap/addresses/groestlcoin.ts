import { readWith } from './bitcoin.ts';
import { decodeBase58 } from './codecs/base58.ts';
import { withoutChecksum } from './codecs/base58check.ts';
import { groestl512 } from './codecs/groestl.ts';
import type { Misreading, Reading } from './reading.ts';

// Version byte, hash and checksum.
const LENGTH = 25;

/** Reads an address of Groestlcoin: Bitcoin's forms, base58 with a checksum of Grøstl-512 twice. */
export function readGroestlcoin(address: string, code: string): Reading | Misreading {
  return readWith(decode, address, code);
}

function decode(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes?.length !== LENGTH) return undefined;
  return withoutChecksum(bytes, (body) => groestl512(groestl512(body)));
}

import { ed25519 } from '@noble/curves/ed25519.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { attempt, decodeCanonical, withoutChecksum } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused } from '../parsed-address.ts';

// CRYPTONOTE_PUBLIC_*_BASE58_PREFIX (monero, src/cryptonote_config.h): main network, test network, stage network.
const TAGS: Readonly<Record<string, readonly number[]>> = {
  standard: [18, 53, 24],
  integrated: [19, 54, 25],
  subaddress: [42, 63, 36],
};

/** Parses a Monero address: standard, subaddress or integrated, with both keys on the curve. */
export function parseMonero(address: string): ParseResult {
  if (address.length !== 95 && address.length !== 106) return refused('The address has the wrong length.');
  const bytes = decodeCanonical(base58xmr, address);
  if (bytes === undefined) return refused('The address is not base58.');
  const body = withoutChecksum(bytes, keccak_256);
  if (body === undefined) return REFUSED.checksum;
  const tag = body[0] ?? -1;
  const [kind, tags = []] = Object.entries(TAGS).find(([, all]) => all.includes(tag)) ?? [];
  if (kind === undefined || body.length !== (kind === 'integrated' ? 73 : 65))
    return refused('This is not a Monero address.');
  if (!isKey(body.subarray(1, 33)) || !isKey(body.subarray(33, 65)))
    return refused('A key inside the address is not on the curve.');
  return accepted(kind, address, { testnet: tag !== tags[0] });
}

function isKey(bytes: Uint8Array): boolean {
  return attempt(() => ed25519.Point.fromBytes(bytes)) !== undefined;
}

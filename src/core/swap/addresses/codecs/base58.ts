import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp } from '@scure/base';
import { attempt, type Checksum, rememberLast, withChecksum, withoutChecksum } from './bytes.ts';

/** Longest base58 text: an address of several keys or of a whole script. Decoding it takes 0.03 ms. */
const MAX_BASE58_LENGTH = 256;

/** Decodes base58 in Bitcoin's alphabet; undefined if the text is not base58, or is longer than any address. */
export const decodeBase58 = rememberLast((text: string): Uint8Array | undefined => {
  // Checking first is cheaper than the error that the library throws for a wrong letter.
  if (text.length > MAX_BASE58_LENGTH || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  return attempt(() => base58.decode(text));
});

const doubleSha256: Checksum = (bytes) => sha256(sha256(bytes));

/** Encodes version and payload as base58 with four bytes of a checksum (Bitcoin, TRON, Tezos and more). */
export function encodeBase58Check(bytes: Uint8Array, checksum = doubleSha256): string {
  return base58.encode(withChecksum(bytes, checksum));
}

/** Decodes base58check to version and payload; undefined if alphabet or checksum is wrong. */
export const decodeBase58Check = rememberLast((text: string): Uint8Array | undefined =>
  withoutChecksum(decodeBase58(text), doubleSha256),
);

/** Encodes version and payload as base58check in the alphabet of the XRP Ledger. */
export function encodeBase58CheckXrp(bytes: Uint8Array): string {
  return base58xrp.encode(withChecksum(bytes, doubleSha256));
}

/** Decodes base58check in the alphabet of the XRP Ledger; undefined if alphabet or checksum is wrong. */
export function decodeBase58CheckXrp(text: string): Uint8Array | undefined {
  // Classic addresses begin with r, seeds with s; X-addresses with X or T, and 31 bytes there are 47 or 48 letters.
  if (!/^(?:[rs][1-9A-HJ-NP-Za-km-z]{20,49}|[XT][1-9A-HJ-NP-Za-km-z]{46,47})$/.test(text)) return undefined;
  return withoutChecksum(
    attempt(() => base58xrp.decode(text)),
    doubleSha256,
  );
}

import { sha256 } from '@noble/hashes/sha2.js';
import { base58xrp, createBase58check } from '@scure/base';
import { attempt } from './attempt.ts';
import { sameBytes } from './bytes.ts';

const bitcoin = createBase58check(sha256);

/** Encodes version and payload as base58 with four bytes of double SHA-256 (Bitcoin, TRON, Tezos and more). */
export function encodeBase58Check(bytes: Uint8Array): string {
  return bitcoin.encode(bytes);
}

/** Decodes base58check to version and payload; undefined where alphabet or checksum is wrong. */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  return attempt(() => bitcoin.decode(text));
}

/** Encodes version and payload as base58check in the alphabet of the XRP Ledger. */
export function encodeBase58CheckXrp(bytes: Uint8Array): string {
  return base58xrp.encode(Uint8Array.from([...bytes, ...xrpChecksum(bytes)]));
}

/** Decodes base58check in the alphabet of the XRP Ledger; undefined where alphabet or checksum is wrong. */
export function decodeBase58CheckXrp(text: string): Uint8Array | undefined {
  const bytes = attempt(() => base58xrp.decode(text));
  if (bytes === undefined || bytes.length < 5) return undefined;
  const payload = bytes.slice(0, -4);
  return sameBytes(xrpChecksum(payload), bytes.slice(-4)) ? payload : undefined;
}

function xrpChecksum(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes)).slice(0, 4);
}

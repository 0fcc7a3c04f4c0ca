import { ed25519 } from '@noble/curves/ed25519.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { attempt, decodeCanonical, withoutChecksum } from '../codecs/bytes.ts';
import { type ParseResult, parsedAddress, parseFailure, WRONG_CHECKSUM } from '../parsed-address.ts';

interface Form {
  readonly kind: 'standard' | 'integrated' | 'subaddress';
  readonly testnet: boolean;
}

// CRYPTONOTE_PUBLIC_*_BASE58_PREFIX of mainnet, testnet and stagenet (monero, src/cryptonote_config.h).
const TAGS: ReadonlyMap<number, Form> = new Map([
  [18, { kind: 'standard', testnet: false }],
  [19, { kind: 'integrated', testnet: false }],
  [42, { kind: 'subaddress', testnet: false }],
  [53, { kind: 'standard', testnet: true }],
  [54, { kind: 'integrated', testnet: true }],
  [63, { kind: 'subaddress', testnet: true }],
  [24, { kind: 'standard', testnet: true }],
  [25, { kind: 'integrated', testnet: true }],
  [36, { kind: 'subaddress', testnet: true }],
]);

/** Parses a Monero address: standard, subaddress or integrated, with both keys on the curve. */
export function parseMonero(address: string): ParseResult {
  if (address.length !== 95 && address.length !== 106)
    return parseFailure('The address has the wrong length.');
  const bytes = decodeCanonical(base58xmr, address);
  if (bytes === undefined) return parseFailure('The address is not base58.');
  const body = withoutChecksum(bytes, keccak_256);
  if (body === undefined) return WRONG_CHECKSUM;
  const form = TAGS.get(body[0] ?? -1);
  const length = form?.kind === 'integrated' ? 73 : 65;
  if (form === undefined || body.length !== length) return parseFailure('This is not a Monero address.');
  if (!isKey(body.subarray(1, 33)) || !isKey(body.subarray(33, 65)))
    return parseFailure('A key inside the address is not on the curve.');
  return parsedAddress(form.kind, address, { testnet: form.testnet });
}

function isKey(bytes: Uint8Array): boolean {
  return attempt(() => ed25519.Point.fromBytes(bytes)) !== undefined;
}

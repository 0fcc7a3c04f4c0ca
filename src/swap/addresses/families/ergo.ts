import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { decodeBase58 } from '../codecs/base58.ts';
import { allZero, sameBytes } from '../codecs/bytes.ts';
import { isOnCurve } from '../codecs/curve.ts';
import {
  NO_KEY,
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const TESTNET = 0x10;
const SECP256K1_PRIME = 2n ** 256n - 2n ** 32n - 977n;

const SCRIPT = 'This is the address of a contract: pay it only if whoever gave it expects a plain payment.';

/**
 * Parses an Ergo address: base58 of network and type, content, and four bytes of BLAKE2b-256 over both.
 * Source: https://github.com/ergoplatform/sigmastate-interpreter/blob/develop/data/shared/src/main/scala/org/ergoplatform/ErgoAddress.scala
 */
export function parseErgo(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58(address);
  const head = bytes?.[0];
  if (bytes === undefined || head === undefined || bytes.length < 6) {
    return parseFailure('The address has the wrong length or alphabet.');
  }
  const testnet = (head & 0xf0) === TESTNET;
  if (!testnet && head > 0x0f) return parseFailure('The address is not one of Ergo.');
  if (!sameBytes(checksum(bytes.subarray(0, -4)), bytes.subarray(-4)))
    return parseFailure('The address has the wrong checksum.');
  return parseContent(address, head & 0x0f, bytes.subarray(1, -4), testnet);
}

function parseContent(
  address: string,
  type: number,
  content: Uint8Array,
  testnet: boolean,
): ParsedAddress | ParseFailure {
  if (allZero(content)) return SYSTEM_ADDRESS;
  if (type === 1 && content.length === 33 && (content[0] === 2 || content[0] === 3)) {
    return parsedAddress('p2pk', address, { testnet, ...(isPublicKey(content) ? {} : NO_KEY) });
  }
  if (type === 2 && content.length === 24) return parsedAddress('p2sh', address, { testnet });
  if (type === 3) return parsedAddress('p2s', address, { testnet, warnings: [SCRIPT] });
  return parseFailure('The address is not a payable one of Ergo.');
}

function isPublicKey(content: Uint8Array): boolean {
  return isOnCurve(BigInt(`0x${bytesToHex(content.subarray(1))}`), 7n, SECP256K1_PRIME);
}

/** Writes an Ergo address; `head` is 0x10 for the test network, and the type: 1 P2PK, 2 P2SH, 3 P2S. */
export function encodeErgo(head: number, content: Uint8Array): string {
  const body = Uint8Array.from([head, ...content]);
  return base58.encode(Uint8Array.from([...body, ...checksum(body)]));
}

function checksum(body: Uint8Array): Uint8Array {
  return blake2b(body, { dkLen: 32 }).subarray(0, 4);
}

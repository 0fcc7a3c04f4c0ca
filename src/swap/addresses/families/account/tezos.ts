import { decodeBase58Check } from '../../codecs/base58check.ts';
import { allZero, startsWith } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

// src/lib_crypto/base58.ml and the protocol's contract_hash.ml.
const PREFIXES: readonly (readonly [kind: string, bytes: readonly number[]])[] = [
  ['tz1', [0x06, 0xa1, 0x9f]],
  ['tz2', [0x06, 0xa1, 0xa1]],
  ['tz3', [0x06, 0xa1, 0xa4]],
  ['tz4', [0x06, 0xa1, 0xa6]],
  ['KT1', [0x02, 0x5a, 0x79]],
];

/** Parses a Tezos account (tz1 to tz4) or contract (KT1), without entrypoint. */
export function parseTezos(address: string): ParsedAddress | ParseFailure {
  const bytes = decodeBase58Check(address);
  if (bytes === undefined) return parseFailure('The address has the wrong checksum.');
  const [kind] = PREFIXES.find(([, prefix]) => startsWith(bytes, prefix)) ?? [];
  if (kind === undefined || bytes.length !== 23)
    return parseFailure('The address is not a payable one of Tezos.');
  const isBurn = allZero(bytes.subarray(3)) || address.startsWith('tz1burnburnburn');
  return isBurn ? SYSTEM_ADDRESS : parsedAddress(kind, address);
}

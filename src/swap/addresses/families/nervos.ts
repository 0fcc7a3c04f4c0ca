import { decodeBech32, wordsToBytes } from '../codecs/bech32.ts';
import { allZero } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const TEST = 'ckt';

// RFC 21: https://github.com/nervosnetwork/rfcs/blob/master/rfcs/0021-ckb-address-format/0021-ckb-address-format.md
const FULL = 0x00;
const SHORT = 0x01;
const FULL_OLD: readonly number[] = [0x02, 0x04];
/** By data, by type, and by data for the second and third version of the machine (RFC 32, CKB2023). */
const HASH_TYPES: readonly number[] = [0, 1, 2, 4];
/** The popular locks that a short address names by number: one signature, several, anyone can pay. */
const SHORT_LOCKS = 3;

const OLD =
  'This is an older form of address that Nervos no longer recommends: ask the wallet for the new one.';
const OLD_FULL =
  'This older form lets some lost or added characters pass unnoticed: ask the wallet for the new one, or compare every character.';

/** Parses a Nervos CKB address: a whole lock script in bech32m, or one of the deprecated forms in bech32 (RFC 21). */
export function parseNervos(address: string): ParsedAddress | ParseFailure {
  const decoded = decodeBech32(address, false);
  if (decoded === undefined) return parseFailure('The address has the wrong checksum.');
  const testnet = decoded.prefix === TEST;
  if (!testnet && decoded.prefix !== 'ckb') return parseFailure('The address must begin with ckb1.');
  const payload = wordsToBytes(decoded.words);
  const form = payload && formOf(decoded.encoding, payload);
  if (payload === undefined || form === undefined)
    return parseFailure('The address is not a lock of Nervos CKB.');
  // No script has this hash, so nothing could ever unlock it.
  if (form.kind !== 'short' && allZero(payload.subarray(1, 33))) return SYSTEM_ADDRESS;
  return parsedAddress(form.kind, address.toLowerCase(), { testnet, warnings: form.warnings });
}

interface Form {
  readonly kind: 'full' | 'short' | 'full-deprecated';
  readonly warnings: readonly string[];
}

function formOf(encoding: 'bech32' | 'bech32m', payload: Uint8Array): Form | undefined {
  const [format = -1, lock = -1] = payload;
  if (encoding === 'bech32m') {
    const isFull = format === FULL && HASH_TYPES.includes(payload[33] ?? -1);
    return isFull ? { kind: 'full', warnings: [] } : undefined;
  }
  if (format === SHORT && payload.length === 22 && lock < SHORT_LOCKS) {
    return { kind: 'short', warnings: [OLD] };
  }
  const isOldFull = FULL_OLD.includes(format) && payload.length >= 33;
  return isOldFull ? { kind: 'full-deprecated', warnings: [OLD_FULL] } : undefined;
}

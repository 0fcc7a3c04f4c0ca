import { decodeBase58 } from '../codecs/base58.ts';
import { allZero } from '../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

// Lockup scripts: https://github.com/alephium/alephium/blob/master/protocol/src/main/scala/org/alephium/protocol/vm/LockupScript.scala
const HASHED: ReadonlyMap<number, string> = new Map([
  [0x00, 'p2pkh'],
  [0x02, 'p2sh'],
]);
const P2MPKH = 0x01;
const P2C = 0x03;
const P2PK = 0x04;
const P2HMPK = 0x05;

/** Bytes of a key by its kind: secp256k1, secp256r1, ed25519, WebAuthn. */
const KEY_LENGTHS: readonly number[] = [33, 33, 32, 33];
const CHECKSUM_LENGTH = 4;

const NO_CHECKSUM = 'This kind of address carries no checksum: compare every character with the source.';
const UNREADABLE = 'The address has the wrong length, checksum or alphabet.';

/**
 * Parses an Alephium address: base58 of a type byte and the hash of a key, of a script or of several keys. The newer
 * groupless kinds carry a checksum and may end with the group, `:0` to `:3`. A contract takes no plain payment.
 */
export function parseAlephium(address: string): ParsedAddress | ParseFailure {
  const [, text = '', group] = /^([1-9A-HJ-NP-Za-km-z]+)(:[0-3])?$/.exec(address) ?? [];
  const bytes = text === '' ? undefined : decodeBase58(text);
  const type = bytes?.[0];
  if (bytes === undefined || type === undefined) return parseFailure(UNREADABLE);
  if (type === P2C && bytes.length === 33) {
    return parseFailure('This is the address of a contract, which no plain payment can reach.');
  }
  if (type === P2PK || type === P2HMPK) return parseGroupless(address, type, bytes.subarray(1));
  const kind = type === P2MPKH ? 'p2mpkh' : HASHED.get(type);
  const isLong = type === P2MPKH ? isMultisig(bytes) : bytes.length === 33;
  if (kind === undefined || !isLong || group !== undefined) return parseFailure(UNREADABLE);
  if (allZero(bytes.subarray(1))) return SYSTEM_ADDRESS;
  return parsedAddress(kind, address, { checksummed: false, warnings: [NO_CHECKSUM] });
}

/** The number of keys, their hashes of 32 bytes, and how many must sign; in 256 letters both numbers fit into a byte. */
function isMultisig(bytes: Uint8Array): boolean {
  const keys = bytes[1] ?? 0;
  const needed = bytes.at(-1) ?? 0;
  return keys > 0 && bytes.length === 32 * keys + 3 && needed >= 1 && needed <= keys;
}

function parseGroupless(address: string, type: number, body: Uint8Array): ParsedAddress | ParseFailure {
  const keyLength = KEY_LENGTHS[body[0] ?? -1] ?? 0;
  const length = type === P2PK ? 1 + keyLength : 32;
  const content = body.subarray(0, length);
  if (keyLength === 0 && type === P2PK) return parseFailure(UNREADABLE);
  if (body.length !== length + CHECKSUM_LENGTH || djb2(content) !== toInt32(body.subarray(length))) {
    return parseFailure(UNREADABLE);
  }
  if (allZero(content.subarray(1))) return SYSTEM_ADDRESS;
  return parsedAddress(type === P2PK ? 'p2pk' : 'p2hmpk', address);
}

/** Bernstein's hash, djb2, in 32 bits. */
function djb2(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => (Math.imul(hash, 33) + byte) | 0, 5381);
}

function toInt32(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum << 8) | byte, 0);
}

import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { decodeBase58 } from '../codecs/base58.ts';
import { allZero, type Checksum, withChecksum, withoutChecksum } from '../codecs/bytes.ts';
import { isOnCurve } from '../codecs/curve.ts';
import {
  accepted,
  KEY_NOT_ON_CURVE,
  type ParseFailure,
  type ParseResult,
  REFUSED,
  refused,
  unchecked,
} from '../parsed-address.ts';

// Lockup scripts: https://github.com/alephium/alephium/blob/master/protocol/src/main/scala/org/alephium/protocol/vm/LockupScript.scala
const ALEPHIUM_HASHED: ReadonlyMap<number, string> = new Map([
  [0x00, 'p2pkh'],
  [0x02, 'p2sh'],
]);
const P2MPKH = 0x01;
const P2C = 0x03;
const P2PK = 0x04;
const P2HMPK = 0x05;

/** Bytes of a key by its kind: secp256k1, secp256r1, ed25519, WebAuthn. */
const ALEPHIUM_KEY_LENGTHS: readonly number[] = [33, 33, 32, 33];
const ALEPHIUM_CHECKSUM_LENGTH = 4;

const ALEPHIUM_NO_CHECKSUM = 'This kind of address has no checksum: compare every character with the source.';
const ALEPHIUM_UNREADABLE = 'The address has the wrong length, checksum or alphabet.';

/**
 * Parses an Alephium address: base58 of a type byte and the hash of a key, of a script or of several keys. The newer
 * groupless kinds carry a checksum and may end with the group, `:0` to `:3`. A contract takes no plain payment.
 */
export function parseAlephium(address: string): ParseResult {
  const [, text = '', group] = /^([1-9A-HJ-NP-Za-km-z]+)(:[0-3])?$/.exec(address) ?? [];
  const bytes = decodeBase58(text);
  const type = bytes?.[0];
  if (bytes === undefined || type === undefined) return refused(ALEPHIUM_UNREADABLE);
  if (type === P2C && bytes.length === 33)
    return refused('This is a contract address, which a plain payment cannot reach.');
  if (type === P2PK || type === P2HMPK) return parseGroupless(address, type, bytes.subarray(1));
  const kind = type === P2MPKH ? 'p2mpkh' : ALEPHIUM_HASHED.get(type);
  const hasLength = type === P2MPKH ? isMultisig(bytes) : bytes.length === 33;
  if (kind === undefined || !hasLength || group !== undefined) return refused(ALEPHIUM_UNREADABLE);
  if (allZero(bytes.subarray(1))) return REFUSED.system;
  return unchecked(kind, address, ALEPHIUM_NO_CHECKSUM);
}

/** The number of keys, their hashes of 32 bytes, and how many must sign; in 256 letters both numbers fit into a byte. */
function isMultisig(bytes: Uint8Array): boolean {
  const keys = bytes[1] ?? 0;
  const needed = bytes.at(-1) ?? 0;
  return keys > 0 && bytes.length === 32 * keys + 3 && needed >= 1 && needed <= keys;
}

function parseGroupless(address: string, type: number, body: Uint8Array): ParseResult {
  const keyLength = ALEPHIUM_KEY_LENGTHS[body[0] ?? -1] ?? 0;
  const length = type === P2PK ? 1 + keyLength : 32;
  const content = body.subarray(0, length);
  if (keyLength === 0 && type === P2PK) return refused(ALEPHIUM_UNREADABLE);
  const checksum = body.subarray(length).reduce((sum, byte) => (sum << 8) | byte, 0);
  if (body.length !== length + ALEPHIUM_CHECKSUM_LENGTH || djb2(content) !== checksum)
    return refused(ALEPHIUM_UNREADABLE);
  if (allZero(content.subarray(1))) return REFUSED.system;
  return accepted(type === P2PK ? 'p2pk' : 'p2hmpk', address);
}

/** Bernstein's hash, djb2, in 32 bits. */
function djb2(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => (Math.imul(hash, 33) + byte) | 0, 5381);
}

const ERGO_TESTNET = 0x10;
const SECP256K1_PRIME = 2n ** 256n - 2n ** 32n - 977n;

const ERGO_SCRIPT =
  'This is the address of a contract: pay it only if the recipient expects a plain payment.';

/**
 * Parses an Ergo address: base58 of network and type, content, and four bytes of BLAKE2b-256 over both.
 * Source: https://github.com/ergoplatform/sigmastate-interpreter/blob/develop/data/shared/src/main/scala/org/ergoplatform/ErgoAddress.scala
 */
export function parseErgo(address: string): ParseResult {
  const bytes = decodeBase58(address);
  const head = bytes?.[0];
  if (bytes === undefined || head === undefined || bytes.length < 6)
    return refused('The address has the wrong length or alphabet.');
  const testnet = (head & 0xf0) === ERGO_TESTNET;
  if (!testnet && head > 0x0f) return refused('This is not an Ergo address.');
  if (withoutChecksum(bytes, ergoChecksum) === undefined) return REFUSED.checksum;
  return parseErgoContent(address, head & 0x0f, bytes.subarray(1, -4), testnet);
}

function parseErgoContent(address: string, type: number, content: Uint8Array, testnet: boolean): ParseResult {
  if (allZero(content)) return REFUSED.system;
  if (type === 1 && content.length === 33 && (content[0] === 2 || content[0] === 3)) {
    const isKey = isOnCurve(BigInt(`0x${bytesToHex(content.subarray(1))}`), 7n, SECP256K1_PRIME);
    return accepted('p2pk', address, { testnet, ...(isKey ? {} : KEY_NOT_ON_CURVE) });
  }
  if (type === 2 && content.length === 24) return accepted('p2sh', address, { testnet });
  if (type === 3) return accepted('p2s', address, { testnet, warnings: [ERGO_SCRIPT] });
  return refused('This is not a payable Ergo address.');
}

/** Writes an Ergo address; `head` is 0x10 for the test network, and the type: 1 P2PK, 2 P2SH, 3 P2S. */
export function encodeErgo(head: number, content: Uint8Array): string {
  return base58.encode(withChecksum(Uint8Array.from([head, ...content]), ergoChecksum));
}

const ergoChecksum: Checksum = (body) => blake2b(body, { dkLen: 32 });

/**
 * Parses a FIO public key, which payments go to: `FIO` and base58 of a compressed key and four bytes of its RIPEMD-160.
 * Source: https://dev.fio.net/docs/fio-public-address-private-key-generation
 */
export function parseFio(address: string): ParseResult {
  if (/^[^@\s]+@[^@\s]+$/.test(address))
    return refused('This is a FIO handle, which can change hands: a payment needs the public key, FIO….');
  if (!/^FIO[1-9A-HJ-NP-Za-km-z]{50}$/.test(address))
    return refused('A public key is FIO and 50 characters.');
  const bytes = decodeBase58(address.slice(3));
  if (bytes?.length !== 37 || (bytes[0] !== 2 && bytes[0] !== 3))
    return refused('The public key has the wrong length.');
  return withoutChecksum(bytes, ripemd160) === undefined
    ? refused('The public key has the wrong checksum.')
    : accepted('public-key', address);
}

export function encodeFio(key: Uint8Array): string {
  return `FIO${base58.encode(withChecksum(key, ripemd160))}`;
}

/** Prefixes by network code, each one byte long (ss58-registry.json); 42 is the generic one, which Bittensor uses. */
export const SS58_PREFIXES: ReadonlyMap<string, number> = new Map([
  ['DOT', 0],
  ['KSM', 2],
  ['TAO', 42],
  ['ASTR', 5],
]);

/** Parses an SS58 address of a 32-byte account with exactly the prefix of the chain. */
export function parseSubstrate(address: string, code: string): ParseResult {
  const bytes = decodeBase58(address);
  if (bytes?.length !== 35) return refused('The address is not a 32-byte account in SS58.');
  if (bytes[0] !== SS58_PREFIXES.get(code)) return refused('The address has the prefix of another chain.');
  if (withoutChecksum(bytes, ss58Checksum, 2) === undefined) return REFUSED.checksum;
  return allZero(bytes.subarray(1, 33)) ? REFUSED.system : accepted('account', address);
}

/** Encodes a 32-byte account in SS58 with a prefix of one byte (below 64). */
export function encodeSs58(prefix: number, account: Uint8Array): string {
  return base58.encode(withChecksum(Uint8Array.from([prefix, ...account]), ss58Checksum, 2));
}

const ss58Checksum: Checksum = (body) => blake2b(Uint8Array.from([...utf8ToBytes('SS58PRE'), ...body]));

const WAVES_ENTITY = 1;
const WAVES_MAIN = 'W'.charCodeAt(0);
// The test network and the stage network.
const WAVES_TEST = [...'TS'].map((letter) => letter.charCodeAt(0));

// Public and private keys are both 32 bytes in base58, and cannot be distinguished.
const WAVES_KEY: ParseFailure = {
  ...refused('This is a key and not an address.'),
  secret: 'a private or public key',
};

/**
 * Parses a Waves address: base58 of 1, the chain's letter, 20 bytes and four of Keccak-256 over BLAKE2b-256.
 * Source: https://docs.waves.tech/en/blockchain/binary-format/address-binary-format
 */
export function parseWaves(address: string): ParseResult {
  if (/^alias:/.test(address)) return refused('This is an alias: a payment needs the address behind it.');
  const bytes = decodeBase58(address);
  if (bytes?.length === 32) return WAVES_KEY;
  if (bytes?.length !== 26) return refused('The address has the wrong length or alphabet.');
  const chain = bytes[1] ?? 0;
  if (bytes[0] !== WAVES_ENTITY || (chain !== WAVES_MAIN && !WAVES_TEST.includes(chain)))
    return refused('This is not a Waves address.');
  if (withoutChecksum(bytes, wavesChecksum) === undefined) return REFUSED.checksum;
  return allZero(bytes.subarray(2, 22))
    ? REFUSED.system
    : accepted('account', address, { testnet: chain !== WAVES_MAIN });
}

/** Writes a Waves address of the chain with this letter (W, or T for the test network) and a 20-byte hash. */
export function encodeWaves(chain: string, hash: Uint8Array): string {
  const body = Uint8Array.from([WAVES_ENTITY, chain.charCodeAt(0), ...hash]);
  return base58.encode(withChecksum(body, wavesChecksum));
}

const wavesChecksum: Checksum = (body) => keccak_256(blake2b(body, { dkLen: 32 }));

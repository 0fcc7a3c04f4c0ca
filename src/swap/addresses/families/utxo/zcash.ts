import { decodeBase58Check } from '../../codecs/base58check.ts';
import { decodeBech32, wordsToBytes } from '../../codecs/bech32.ts';
import { startsWith } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';
import { isBurnHash } from './bitcoin.ts';
import { decodeReceivers } from './zcash-unified.ts';

interface Transparent {
  readonly version: readonly [number, number];
  readonly kind: string;
  readonly testnet: boolean;
}

// Zcash protocol specification, 5.6.1.1.
const TRANSPARENT: readonly Transparent[] = [
  { version: [0x1c, 0xb8], kind: 'p2pkh', testnet: false },
  { version: [0x1c, 0xbd], kind: 'p2sh', testnet: false },
  { version: [0x1d, 0x25], kind: 'p2pkh', testnet: true },
  { version: [0x1c, 0xba], kind: 'p2sh', testnet: true },
];

interface Bech32Kind {
  readonly kind: 'tex' | 'sapling' | 'unified';
  readonly encoding: 'bech32' | 'bech32m';
  readonly testnet: boolean;
}

// ZIP-320 (TEX), protocol specification 5.6.3.1 (Sapling), ZIP-316 (unified).
const PREFIXES: ReadonlyMap<string, Bech32Kind> = new Map([
  ['tex', { kind: 'tex', encoding: 'bech32m', testnet: false }],
  ['textest', { kind: 'tex', encoding: 'bech32m', testnet: true }],
  ['texregtest', { kind: 'tex', encoding: 'bech32m', testnet: true }],
  ['zs', { kind: 'sapling', encoding: 'bech32', testnet: false }],
  ['ztestsapling', { kind: 'sapling', encoding: 'bech32', testnet: true }],
  ['zregtestsapling', { kind: 'sapling', encoding: 'bech32', testnet: true }],
  ['u', { kind: 'unified', encoding: 'bech32m', testnet: false }],
  ['utest', { kind: 'unified', encoding: 'bech32m', testnet: true }],
  ['uregtest', { kind: 'unified', encoding: 'bech32m', testnet: true }],
]);

const WARNINGS = {
  tex: 'A TEX address can be paid only from a transparent address: pay it only if the service says that it can.',
  sapling: 'This is a shielded (Sapling) address: pay it only if the service says that it can.',
  unified: 'This is a unified, mostly shielded address: pay it only if the service says that it can.',
};

/** Parses transparent, TEX, Sapling and unified addresses of Zcash; Sprout (`zc…`) is no longer payable. */
export function parseZcash(address: string): ParsedAddress | ParseFailure {
  return (
    parseTransparent(address) ??
    parseBech32(address) ??
    parseFailure('The address has the wrong checksum, length or network.')
  );
}

function parseTransparent(address: string): ParsedAddress | ParseFailure | undefined {
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 22) return undefined;
  const form = TRANSPARENT.find(({ version }) => startsWith(bytes, version));
  if (form === undefined) return undefined;
  if (isBurnHash(bytes.subarray(2))) return SYSTEM_ADDRESS;
  return parsedAddress(form.kind, address, { testnet: form.testnet });
}

function parseBech32(address: string): ParsedAddress | ParseFailure | undefined {
  const decoded = decodeBech32(address, false);
  const form = PREFIXES.get(decoded?.prefix ?? '');
  if (decoded === undefined || form === undefined || decoded.encoding !== form.encoding) return undefined;
  const bytes = wordsToBytes(decoded.words);
  if (bytes === undefined || !isWellFormed(form.kind, decoded.prefix, bytes)) return undefined;
  if (form.kind === 'tex' && isBurnHash(bytes)) return SYSTEM_ADDRESS;
  return parsedAddress(form.kind, address.toLowerCase(), {
    testnet: form.testnet,
    warnings: [WARNINGS[form.kind]],
  });
}

function isWellFormed(kind: Bech32Kind['kind'], prefix: string, bytes: Uint8Array): boolean {
  if (kind === 'unified') return decodeReceivers(prefix, bytes) !== undefined;
  return bytes.length === (kind === 'tex' ? 20 : 43);
}

import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check } from '../../codecs/base58check.ts';
import { decodeBech32, wordsToBytes } from '../../codecs/bech32.ts';
import { allZero } from '../../codecs/bytes.ts';
import { decodeSegwit, type WitnessProgram } from '../../codecs/segwit.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';
import { CHAINS, type Chain, type Forms } from './bitcoin-chains.ts';

// The hashes inside 1BitcoinEaterAddressDontSendf59kuE and 1CounterpartyXXXXXXXXXXXXXXXUWLpVr.
const EATERS = new Set([
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9',
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821',
]);

const HASH_LENGTH = 20;

const ANYONE_CAN_SPEND =
  'This witness version has no spending rule yet: today anyone could take what is sent to it.';
const SHARED =
  'Another chain writes its addresses the same way: make sure that the wallet is one for this chain.';
const PRIVATE = {
  mweb: 'This is a private (MWEB) address: pay it only if the service says that it can.',
  sapling: 'This is a shielded (Sapling) address: pay it only if the service says that it can.',
  spark: 'This is a private (Spark) address: pay it only if the service says that it can.',
};

/** Whether a key or script hash is a burn hash, of which nobody has the preimage. */
export function isBurnHash(hash: Uint8Array): boolean {
  return allZero(hash) || EATERS.has(bytesToHex(hash));
}

/** Parses base58check and segwit addresses of Bitcoin and its relatives (BIP-13, BIP-173, BIP-350), and private forms. */
export function parseBitcoin(address: string, code: string): ParsedAddress | ParseFailure {
  return parseWith(decodeBase58Check, address, code);
}

/** Parses an address of Bitcoin or a relative with the checksum of that decoder. */
export function parseWith(
  decode: (text: string) => Uint8Array | undefined,
  address: string,
  code: string,
): ParsedAddress | ParseFailure {
  const chain = CHAINS[code];
  if (chain === undefined) return parseFailure('swapctl has no version bytes for this chain.');
  return (
    parseBase58(decode(address), address, chain) ??
    parseSegwit(address, chain) ??
    parsePrivate(address, chain) ??
    parseFailure('The address has the wrong checksum, length or network.')
  );
}

function parseBase58(
  bytes: Uint8Array | undefined,
  address: string,
  chain: Chain,
): ParsedAddress | ParseFailure | undefined {
  if (bytes === undefined || bytes.length <= HASH_LENGTH) return undefined;
  const version = bytesToHex(bytes.subarray(0, -HASH_LENGTH));
  const mainKind = kindOf(version, chain.main);
  const kind = mainKind ?? kindOf(version, chain.test);
  if (kind === undefined) return undefined;
  if (isBurnHash(bytes.subarray(-HASH_LENGTH))) return SYSTEM_ADDRESS;
  const testnet = mainKind === undefined;
  return parsedAddress(kind, address, {
    testnet,
    warnings: !testnet && chain.shared?.includes(version) ? [SHARED] : [],
  });
}

function kindOf(version: string, { p2pkh, p2sh, exchange }: Forms): string | undefined {
  if (p2pkh.includes(version)) return 'p2pkh';
  if (p2sh.includes(version)) return 'p2sh';
  return version === exchange ? 'exchange' : undefined;
}

function parseSegwit(address: string, chain: Chain): ParsedAddress | ParseFailure | undefined {
  const witness = decodeSegwit(address);
  if (witness === undefined) return undefined;
  const testnet = chain.test.segwit.includes(witness.prefix);
  if (!testnet && !chain.main.segwit.includes(witness.prefix)) return undefined;
  if (isBurnHash(witness.program)) return SYSTEM_ADDRESS;
  const kind = witnessKind(witness, chain);
  const warnings = kind === 'future-witness' ? [ANYONE_CAN_SPEND] : [];
  return parsedAddress(kind, address.toLowerCase(), { testnet, warnings });
}

function witnessKind({ version, program }: WitnessProgram, { noTaproot }: Chain): string {
  if (version === 0) return program.length === 20 ? 'p2wpkh' : 'p2wsh';
  return version === 1 && program.length === 32 && noTaproot !== true ? 'p2tr' : 'future-witness';
}

function parsePrivate(address: string, { main, test }: Chain): ParsedAddress | undefined {
  const decoded = decodeBech32(address, false);
  if (decoded === undefined) return undefined;
  const form = (['mweb', 'sapling', 'spark'] as const).find(
    (kind) => main[kind] === decoded.prefix || test[kind] === decoded.prefix,
  );
  if (form === undefined) return undefined;
  const isWhole = { mweb: isMweb, sapling: isSapling, spark: isSpark }[form];
  if (!isWhole(decoded.encoding, decoded.words)) return undefined;
  return parsedAddress(form, address.toLowerCase(), {
    testnet: test[form] === decoded.prefix,
    warnings: [PRIVATE[form]],
  });
}

// MWEB stealth addresses are version 0 in bech32 and hold two compressed keys of 33 bytes (LIP-0004).
function isMweb(encoding: string, [version, ...words]: readonly number[]): boolean {
  const keys = wordsToBytes(words);
  const compressed = (byte: number | undefined): boolean => byte === 2 || byte === 3;
  return (
    encoding === 'bech32' &&
    version === 0 &&
    keys?.length === 66 &&
    compressed(keys[0]) &&
    compressed(keys[33])
  );
}

function isSapling(encoding: string, words: readonly number[]): boolean {
  return encoding === 'bech32' && wordsToBytes(words)?.length === 43;
}

// Two points of 34 bytes and a diversifier of 16, scrambled (Firo, libspark).
function isSpark(encoding: string, words: readonly number[]): boolean {
  return encoding === 'bech32m' && wordsToBytes(words)?.length === 84;
}

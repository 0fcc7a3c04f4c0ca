import { blake256 } from '@noble/hashes/blake1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { encodeBase58Check } from '../../../swap/addresses/codecs/base58.ts';
import { bytesToWords, encodeBech32 } from '../../../swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../swap/addresses/codecs/cashaddr.ts';
import { crc32 } from '../../../swap/addresses/codecs/crc.ts';
import { groestl512 } from '../../../swap/addresses/codecs/groestl.ts';
import { encodeSs58, SS58_PREFIXES } from '../../../swap/addresses/families/base58-accounts.ts';
import { BECH32_CHAINS } from '../../../swap/addresses/families/bech32-accounts.ts';
import { CHAINS as BITCOIN_CHAINS } from '../../../swap/addresses/families/bitcoin.ts';
import { toStarknetChecksum } from '../../../swap/addresses/families/hex-accounts.ts';
import type { PayloadSource } from './payload.ts';
import { markedBytes } from './payload.ts';

type Form = (source: PayloadSource) => string;

/** Chains that share a form with others but have no entry in the tables of the address rules. */
const BY_HAND: Readonly<Record<string, Form>> = {
  XEC: (source) => `ectest:${encodeCashaddr('ectest', join([0], markedBytes(source, 20)))}`,
  MOVE: hexadecimal,
  IOTA: hexadecimal,
  ICP: internetComputer,
  // A zero in front of SANDBOX keeps it below the order of the field.
  STRK: (source) => toStarknetChecksum(BigInt(`0x${bytesToHex(markedBytes(source, 31))}`)),
  AVAXX: (source) => `X-${bech32('fuji', markedBytes(source, 20))}`,
  AVAXP: (source) => `P-${bech32('fuji', markedBytes(source, 20))}`,
};

/** Address form of a chain that shares it with others, from the tables of the address rules. */
export function relativeForm(code: string): Form | undefined {
  if (Object.hasOwn(BY_HAND, code)) return BY_HAND[code];
  if (Object.hasOwn(BITCOIN_CHAINS, code)) return (source) => bitcoinLike(code, source);
  const account = Object.hasOwn(BECH32_CHAINS, code) ? BECH32_CHAINS[code] : undefined;
  if (account !== undefined)
    return (source) => bech32(account.prefix, markedBytes(source, account.lengths[0] ?? 20));
  const prefix = SS58_PREFIXES.get(code);
  return prefix === undefined ? undefined : (source) => encodeSs58(prefix, markedBytes(source, 32));
}

function bitcoinLike(code: string, source: PayloadSource): string {
  const chain = BITCOIN_CHAINS[code];
  const version = chain?.test.p2pkh[0] ?? chain?.main.p2pkh[0] ?? '';
  return encodeBase58Check(join(hexToBytes(version), markedBytes(source, 20)), CHECKSUMS[code]);
}

const CHECKSUMS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  GRS: (bytes) => groestl512(groestl512(bytes)),
  DCR: (bytes) => blake256(blake256(bytes)),
};

function hexadecimal(source: PayloadSource): string {
  return `0x${bytesToHex(markedBytes(source, 32))}`;
}

function internetComputer(source: PayloadSource): string {
  const account = markedBytes(source, 28);
  return crc32(account).toString(16).padStart(8, '0') + bytesToHex(account);
}

function bech32(prefix: string, bytes: Uint8Array): string {
  return encodeBech32({ encoding: 'bech32', prefix, words: bytesToWords(bytes) });
}

function join(head: Iterable<number>, tail: Iterable<number>): Uint8Array {
  return Uint8Array.from([...head, ...tail]);
}

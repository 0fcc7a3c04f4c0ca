import { crc32 } from 'node:zlib';
import { blake256 } from '@noble/hashes/blake1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base32nopad, base58, base58xmr, base64url, base64urlnopad } from '@scure/base';
import { encodeBase58Check, encodeBase58CheckXrp } from '../../../core/swap/addresses/codecs/base58.ts';
import { bytesToWords, encodeSegwit } from '../../../core/swap/addresses/codecs/bech32.ts';
import { crc16, withChecksum } from '../../../core/swap/addresses/codecs/bytes.ts';
import { encodeCashaddr } from '../../../core/swap/addresses/codecs/cashaddr.ts';
import { groestl512 } from '../../../core/swap/addresses/codecs/groestl.ts';
import { hip15Checksum } from '../../../core/swap/addresses/families/account-names.ts';
import {
  encodeNem,
  encodeNimiq,
  encodeStacks,
  encodeStrkey,
} from '../../../core/swap/addresses/families/base32-accounts.ts';
import {
  encodeErgo,
  encodeFio,
  encodeSs58,
  encodeWaves,
  SS58_PREFIXES,
} from '../../../core/swap/addresses/families/base58-accounts.ts';
import { isMinaKey, MINA_PREFIX } from '../../../core/swap/addresses/families/base58check-accounts.ts';
import { BECH32_CHAINS } from '../../../core/swap/addresses/families/bech32-accounts.ts';
import { CHAINS as BITCOIN_CHAINS } from '../../../core/swap/addresses/families/bitcoin.ts';
import { CONFLUX_ALPHABET } from '../../../core/swap/addresses/families/cashaddr-accounts.ts';
import { toEip55 } from '../../../core/swap/addresses/families/evm.ts';
import {
  encodeFlow,
  encodeSiacoin,
  toStarknetChecksum,
} from '../../../core/swap/addresses/families/hex-accounts.ts';
import {
  bech32Text,
  distinctNumber,
  type Form,
  hexadecimal,
  join,
  markedBytes,
  markedPoint,
  type PayloadSource,
} from './payload.ts';

const NANO_ALPHABET = '13456789abcdefghijkmnopqrstuwxyz';
const EOS_ALPHABET = '12345abcdefghijklmnopqrstuvwxyz';
/** Test network of NEM and Symbol. */
const NEM_TEST = 0x98;
/** One-key addresses of the test network of Stacks. */
const STACKS_TEST = 26;
/** Test network and P2SH of Ergo. */
const ERGO_TESTNET_P2SH = 0x12;
const NIMIQ_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVXY';
// The one-key lock of CKB, by type (RFC 24): https://github.com/nervosnetwork/rfcs/blob/master/rfcs/0024-ckb-genesis-script-list/0024-ckb-genesis-script-list.md
const CKB_LOCK = '9bd7e06f3ecf4be0f2fcd2188b23f1b9fcc88e5d4b65a8637b17723bbda3cce8';

/**
 * Addresses of the test network of a chain, or marked ones where it has none; the other chains follow the tables of the
 * address rules. Version bytes and prefixes are those of the chains' own parameters; src/core/swap/addresses reads the same.
 */
const FORMS: Readonly<Record<string, Form>> = {
  BTC: segwit('tb'),
  LTC: segwit('tltc'),
  ZEC: base58check(0x1d, 0x25),
  BCH: (source) => `bchtest:${encodeCashaddr('bchtest', join([0], markedBytes(source, 20)))}`,
  KAS: (source) => `kaspatest:${encodeCashaddr('kaspatest', join([0], markedBytes(source, 32)))}`,
  ADA: (source) => bech32Text('addr_test', join([0x00], markedBytes(source, 56))),
  TON: (source) => tonNonBounceableTest(markedBytes(source, 32)),
  XMR: moneroStagenet,
  FIL: filecoinTest,
  HBAR: hederaTestnet,
  NEAR: (source) => `swap-${bytesToHex(markedBytes(source, 17).subarray(7))}.sandbox.testnet`,
  TRX: base58check(0x41),
  SOL: (source) => base58.encode(markedPoint(source)),
  XRP: (source) => encodeBase58CheckXrp(join([0], markedBytes(source, 20))),
  XLM: (source) => encodeStrkey(6 << 3, markedPoint(source)),
  EOS: eosName,
  WAX: eosName,
  TLOS: eosName,
  ALGO: (source) => algorand(markedPoint(source)),
  XNO: (source) => nano('nano_', markedBytes(source, 32)),
  BAN: (source) => nano('ban_', markedBytes(source, 32)),
  XTZ: base58check(0x06, 0xa1, 0x9f),
  SUI: hexadecimal,
  APT: hexadecimal,
  // Chains that only a catalogue file names.
  ALPH: (source) => base58.encode(join([0], markedBytes(source, 32))),
  AR: (source) => base64urlnopad.encode(markedBytes(source, 32)),
  // The first four bits say that the account is a user's.
  CFX: (source) =>
    `cfxtest:${encodeCashaddr('cfxtest', join([0, 0x10], markedBytes(source, 19)), CONFLUX_ALPHABET)}`,
  CKB: (source) =>
    bech32Text('ckt', [0, ...Buffer.from(CKB_LOCK, 'hex'), 1, ...markedBytes(source, 20)], 'bech32m'),
  ERG: (source) => encodeErgo(ERGO_TESTNET_P2SH, markedBytes(source, 24)),
  FIO: (source) => encodeFio(join([2], markedBytes(source, 32))),
  FLOW: (source) => encodeFlow(distinctNumber(source, 45), 'test'),
  HIVE: accountName,
  STEEM: accountName,
  ICX: (source) => `hx${bytesToHex(markedBytes(source, 20))}`,
  KDA: (source) => `k:${bytesToHex(markedPoint(source))}`,
  MINA: mina,
  NEO: base58check(0x35),
  ONT: base58check(0x17),
  NIM: nimiq,
  SC: (source) => encodeSiacoin(markedBytes(source, 32)),
  STX: (source) => encodeStacks(STACKS_TEST, markedBytes(source, 20)),
  WAVES: (source) => encodeWaves('T', markedBytes(source, 20)),
  XCH: (source) => bech32Text('txch', markedBytes(source, 32), 'bech32m'),
  XEM: (source) => encodeNem('XEM', NEM_TEST, markedBytes(source, 20)),
  XYM: (source) => encodeNem('XYM', NEM_TEST, markedBytes(source, 20)),
  XEC: (source) => `ectest:${encodeCashaddr('ectest', join([0], markedBytes(source, 20)))}`,
  MOVE: hexadecimal,
  IOTA: hexadecimal,
  ICP: internetComputer,
  // A zero in front of SANDBOX keeps it below the order of the field.
  STRK: (source) => toStarknetChecksum(BigInt(`0x${bytesToHex(markedBytes(source, 31))}`)),
  AVAXX: (source) => `X-${bech32Text('fuji', markedBytes(source, 20))}`,
  AVAXP: (source) => `P-${bech32Text('fuji', markedBytes(source, 20))}`,
};

/** Address form of a network by its canonical code; undefined for a code without one. */
export function addressForm(code: string): Form | undefined {
  if (Object.hasOwn(FORMS, code)) return FORMS[code];
  if (Object.hasOwn(BITCOIN_CHAINS, code)) return (source) => bitcoinLike(code, source);
  const account = Object.hasOwn(BECH32_CHAINS, code) ? BECH32_CHAINS[code] : undefined;
  if (account !== undefined)
    return (source) => bech32Text(account.prefix, markedBytes(source, account.lengths[0] ?? 20));
  const prefix = SS58_PREFIXES.get(code);
  return prefix === undefined ? undefined : (source) => encodeSs58(prefix, markedBytes(source, 32));
}

/** An address of any EVM chain: `0x53414e44424f58…`, with the EIP-55 checksum. */
export function evmAddress(source: PayloadSource): string {
  return toEip55(bytesToHex(markedBytes(source, 20)));
}

/** An address for an unknown network: `SANDBOX` and 32 letters and digits, which no real chain uses. */
export function inventedAddress(source: PayloadSource): string {
  return `SANDBOX${base32nopad.encode(markedBytes(source, 27).subarray(7))}`;
}

function segwit(prefix: string): Form {
  return (source) => encodeSegwit({ prefix, version: 0, program: markedBytes(source, 20) });
}

function base58check(...version: number[]): Form {
  return (source) => encodeBase58Check(join(version, markedBytes(source, 20)));
}

// 0x51 non-bounceable with 0x80 for test networks only, workchain 0 (TEP-2); such an address begins with 0Q.
function tonNonBounceableTest(account: Uint8Array): string {
  const body = join([0xd1, 0x00], account);
  const crc = crc16(body);
  return base64url.encode(join(body, [crc >> 8, crc & 0xff]));
}

// Tag 24: a standard address of the stagenet (monero, src/cryptonote_config.h).
function moneroStagenet(source: PayloadSource): string {
  const view = markedPoint({ ...source, purpose: `${source.purpose}-view` });
  return base58xmr.encode(withChecksum(join([24], markedPoint(source), view), keccak_256));
}

function filecoinTest(source: PayloadSource): string {
  const payload = markedBytes(source, 20);
  const checksum = blake2b(join([1], payload), { dkLen: 4 });
  return `t1${base32nopad.encode(join(payload, checksum)).toLowerCase()}`;
}

// Account numbers far beyond those that exist; the five letters are the checksum of ledger 01, the testnet (HIP-15).
function hederaTestnet(source: PayloadSource): string {
  const plain = `0.0.${10n ** 12n + distinctNumber(source, 32)}`;
  return `${plain}-${hip15Checksum([1], plain)}`;
}

// A name has twelve letters, so five are free: 16 million names; orders that share one differ in memo.
function eosName(source: PayloadSource): string {
  return `sandbox${[...digits(distinctNumber(source, 24), EOS_ALPHABET, 5)].reverse().join('')}`;
}

function algorand(key: Uint8Array): string {
  return base32nopad.encode(join(key, sha512_256(key).subarray(28)));
}

function nano(prefix: string, key: Uint8Array): string {
  const checksum = blake2b(key, { dkLen: 5 }).reverse();
  return `${prefix}${nanoNumber(key, 52)}${nanoNumber(checksum, 8)}`;
}

function nanoNumber(bytes: Uint8Array, letters: number): string {
  return digits(BigInt(`0x${bytesToHex(bytes)}`), NANO_ALPHABET, letters);
}

/** The lowest digits of a number, as many as asked for, in the letters of an alphabet. */
function digits(number: bigint, alphabet: string, count: number): string {
  const base = BigInt(alphabet.length);
  let [text, rest] = ['', number];
  while (text.length < count) {
    text = alphabet.charAt(Number(rest % base)) + text;
    rest /= base;
  }
  return text;
}

// Up to sixteen characters: 2^32 names.
function accountName(source: PayloadSource): string {
  return `sandbox-${distinctNumber(source, 32).toString(36)}`;
}

// Every other number is a valid key; the last byte is limited to stay below the order of the field.
function mina(source: PayloadSource): string {
  for (let attempt = 0; ; attempt += 1) {
    const x = markedBytes(source, 32, attempt);
    x[31] = (x[31] ?? 0) & 0x3f;
    if (isMinaKey(x)) return encodeBase58Check(join(MINA_PREFIX, x, [0]));
  }
}

function nimiq(source: PayloadSource): string {
  const letters = bytesToWords(markedBytes(source, 20)).map((word) => NIMIQ_ALPHABET.charAt(word));
  return encodeNimiq(letters.join(''));
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

function internetComputer(source: PayloadSource): string {
  const account = markedBytes(source, 28);
  return crc32(account).toString(16).padStart(8, '0') + bytesToHex(account);
}

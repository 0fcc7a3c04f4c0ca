import { blake2b } from '@noble/hashes/blake2.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base32nopad, base58, base58xmr, base64url } from '@scure/base';
import { encodeBase58Check, encodeBase58CheckXrp } from '../../../swap/addresses/codecs/base58.ts';
import { encodeSegwit } from '../../../swap/addresses/codecs/bech32.ts';
import { withChecksum } from '../../../swap/addresses/codecs/bytes.ts';
import { encodeCashaddr } from '../../../swap/addresses/codecs/cashaddr.ts';
import { crc16 } from '../../../swap/addresses/codecs/crc.ts';
import { hip15Checksum } from '../../../swap/addresses/families/account-names.ts';
import { encodeStrkey } from '../../../swap/addresses/families/base32-accounts.ts';
import { toEip55 } from '../../../swap/addresses/families/evm.ts';
import { otherForm } from './other-forms.ts';
import {
  bech32Text,
  type Form,
  hexadecimal,
  join,
  markedBytes,
  markedPoint,
  type PayloadSource,
  scattered,
} from './payload.ts';

const NANO_ALPHABET = '13456789abcdefghijkmnopqrstuwxyz';
const EOS_ALPHABET = '12345abcdefghijklmnopqrstuvwxyz';

// Version bytes and prefixes of the test networks, from the chains' own parameters; src/swap/addresses reads the same.
const TEST_NETWORK_FORMS: Readonly<Record<string, Form>> = {
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
};

const MARKED_FORMS: Readonly<Record<string, Form>> = {
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
};

/** Address form of a network by its canonical code; undefined for a code without one. */
export function addressForm(code: string): Form | undefined {
  if (Object.hasOwn(TEST_NETWORK_FORMS, code)) return TEST_NETWORK_FORMS[code];
  if (Object.hasOwn(MARKED_FORMS, code)) return MARKED_FORMS[code];
  return otherForm(code);
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
  const plain = `0.0.${10n ** 12n + scattered(source, 32)}`;
  return `${plain}-${hip15Checksum([1], plain)}`;
}

// A name has twelve letters, so five are free: 16 million names; orders that share one differ in memo.
function eosName(source: PayloadSource): string {
  let rest = scattered(source, 24);
  let letters = '';
  for (let place = 0; place < 5; place += 1) {
    letters += EOS_ALPHABET.charAt(Number(rest % 31n));
    rest /= 31n;
  }
  return `sandbox${letters}`;
}

function algorand(key: Uint8Array): string {
  return base32nopad.encode(join(key, sha512_256(key).subarray(28)));
}

function nano(prefix: string, key: Uint8Array): string {
  const checksum = blake2b(key, { dkLen: 5 }).reverse();
  return `${prefix}${nanoNumber(key, 52)}${nanoNumber(checksum, 8)}`;
}

function nanoNumber(bytes: Uint8Array, letters: number): string {
  let rest = BigInt(`0x${bytesToHex(bytes)}`);
  let text = '';
  for (let place = 0; place < letters; place += 1) {
    text = NANO_ALPHABET.charAt(Number(rest % 32n)) + text;
    rest /= 32n;
  }
  return text;
}

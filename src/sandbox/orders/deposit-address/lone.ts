import { bytesToHex } from '@noble/hashes/utils.js';
import { base58, base64urlnopad } from '@scure/base';
import { encodeBase58Check } from '../../../swap/addresses/codecs/base58.ts';
import { bytesToWords, encodeBech32 } from '../../../swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../swap/addresses/codecs/cashaddr.ts';
import { encodeNem, encodeNimiq, encodeStacks } from '../../../swap/addresses/families/base32-accounts.ts';
import { encodeErgo, encodeFio, encodeWaves } from '../../../swap/addresses/families/base58-accounts.ts';
import { isMinaKey, MINA_PREFIX } from '../../../swap/addresses/families/base58check-accounts.ts';
import { CONFLUX_ALPHABET } from '../../../swap/addresses/families/cashaddr-accounts.ts';
import { encodeFlow, encodeSiacoin } from '../../../swap/addresses/families/hex-accounts.ts';
import type { PayloadSource } from './payload.ts';
import { markedBytes, markedPoint, scattered } from './payload.ts';

type Form = (source: PayloadSource) => string;

/** Test network of NEM and Symbol. */
const NEM_TEST = 0x98;
/** One-key addresses of the test network of Stacks. */
const STACKS_TEST = 26;
/** Test network and P2SH of Ergo. */
const ERGO_TEST = 0x12;
const NIMIQ_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVXY';
// The one-key lock of CKB, by type (RFC 24): https://github.com/nervosnetwork/rfcs/blob/master/rfcs/0024-ckb-genesis-script-list/0024-ckb-genesis-script-list.md
const CKB_LOCK = '9bd7e06f3ecf4be0f2fcd2188b23f1b9fcc88e5d4b65a8637b17723bbda3cce8';

/** Deposit addresses of chains with a form of their own, which a catalogue file may name. */
export const LONE_FORMS: Readonly<Record<string, Form>> = {
  ALPH: (source) => base58.encode(Uint8Array.from([0, ...markedBytes(source, 32)])),
  AR: (source) => base64urlnopad.encode(markedBytes(source, 32)),
  CFX: confluxTest,
  CKB: (source) => bech32m('ckt', [0, ...Buffer.from(CKB_LOCK, 'hex'), 1, ...markedBytes(source, 20)]),
  ERG: (source) => encodeErgo(ERGO_TEST, markedBytes(source, 24)),
  FIO: (source) => encodeFio(Uint8Array.from([2, ...markedBytes(source, 32)])),
  FLOW: (source) => encodeFlow(scattered(source, 45), 'test'),
  HIVE: accountName,
  STEEM: accountName,
  ICX: (source) => `hx${bytesToHex(markedBytes(source, 20))}`,
  KDA: (source) => `k:${bytesToHex(markedPoint(source))}`,
  MINA: mina,
  NEO: (source) => encodeBase58Check(Uint8Array.from([0x35, ...markedBytes(source, 20)])),
  ONT: (source) => encodeBase58Check(Uint8Array.from([0x17, ...markedBytes(source, 20)])),
  NIM: nimiq,
  SC: (source) => encodeSiacoin(markedBytes(source, 32)),
  STX: (source) => encodeStacks(STACKS_TEST, markedBytes(source, 20)),
  WAVES: (source) => encodeWaves('T', markedBytes(source, 20)),
  XCH: (source) => bech32m('txch', markedBytes(source, 32)),
  XEM: (source) => encodeNem('XEM', NEM_TEST, markedBytes(source, 20)),
  XYM: (source) => encodeNem('XYM', NEM_TEST, markedBytes(source, 20)),
};

function bech32m(prefix: string, bytes: Iterable<number>): string {
  return encodeBech32({ encoding: 'bech32m', prefix, words: bytesToWords(Uint8Array.from(bytes)) });
}

// The first four bits say that the account is a user's.
function confluxTest(source: PayloadSource): string {
  const payload = Uint8Array.from([0, 0x10, ...markedBytes(source, 19)]);
  return `cfxtest:${encodeCashaddr('cfxtest', payload, CONFLUX_ALPHABET)}`;
}

// Up to sixteen characters: 2^32 names.
function accountName(source: PayloadSource): string {
  return `sandbox-${scattered(source, 32).toString(36)}`;
}

// Every other number is a valid key; the last byte is limited to stay below the order of the field.
function mina(source: PayloadSource): string {
  for (let attempt = 0; ; attempt += 1) {
    const x = markedBytes(source, 32, attempt);
    x[31] = (x[31] ?? 0) & 0x3f;
    if (isMinaKey(x)) return encodeBase58Check(Uint8Array.from([...MINA_PREFIX, ...x, 0]));
  }
}

function nimiq(source: PayloadSource): string {
  const letters = bytesToWords(markedBytes(source, 20)).map((word) => NIMIQ_ALPHABET.charAt(word));
  return encodeNimiq(letters.join(''));
}

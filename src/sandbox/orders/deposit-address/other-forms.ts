import { blake256 } from '@noble/hashes/blake1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base58, base64urlnopad } from '@scure/base';
import { encodeBase58Check } from '../../../swap/addresses/codecs/base58.ts';
import { bytesToWords } from '../../../swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../swap/addresses/codecs/cashaddr.ts';
import { crc32 } from '../../../swap/addresses/codecs/crc.ts';
import { groestl512 } from '../../../swap/addresses/codecs/groestl.ts';
import { encodeNem, encodeNimiq, encodeStacks } from '../../../swap/addresses/families/base32-accounts.ts';
import {
  encodeErgo,
  encodeFio,
  encodeSs58,
  encodeWaves,
  SS58_PREFIXES,
} from '../../../swap/addresses/families/base58-accounts.ts';
import { isMinaKey, MINA_PREFIX } from '../../../swap/addresses/families/base58check-accounts.ts';
import { BECH32_CHAINS } from '../../../swap/addresses/families/bech32-accounts.ts';
import { CHAINS as BITCOIN_CHAINS } from '../../../swap/addresses/families/bitcoin.ts';
import { CONFLUX_ALPHABET } from '../../../swap/addresses/families/cashaddr-accounts.ts';
import {
  encodeFlow,
  encodeSiacoin,
  toStarknetChecksum,
} from '../../../swap/addresses/families/hex-accounts.ts';
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

/** Test network of NEM and Symbol. */
const NEM_TEST = 0x98;
/** One-key addresses of the test network of Stacks. */
const STACKS_TEST = 26;
/** Test network and P2SH of Ergo. */
const ERGO_TEST = 0x12;
const NIMIQ_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVXY';
// The one-key lock of CKB, by type (RFC 24): https://github.com/nervosnetwork/rfcs/blob/master/rfcs/0024-ckb-genesis-script-list/0024-ckb-genesis-script-list.md
const CKB_LOCK = '9bd7e06f3ecf4be0f2fcd2188b23f1b9fcc88e5d4b65a8637b17723bbda3cce8';

/** Deposit addresses of chains that only a catalogue file names, and that the tables of the address rules lack. */
const OTHER_FORMS: Readonly<Record<string, Form>> = {
  ALPH: (source) => base58.encode(join([0], markedBytes(source, 32))),
  AR: (source) => base64urlnopad.encode(markedBytes(source, 32)),
  CFX: confluxTest,
  CKB: (source) =>
    bech32Text('ckt', [0, ...Buffer.from(CKB_LOCK, 'hex'), 1, ...markedBytes(source, 20)], 'bech32m'),
  ERG: (source) => encodeErgo(ERGO_TEST, markedBytes(source, 24)),
  FIO: (source) => encodeFio(join([2], markedBytes(source, 32))),
  FLOW: (source) => encodeFlow(scattered(source, 45), 'test'),
  HIVE: accountName,
  STEEM: accountName,
  ICX: (source) => `hx${bytesToHex(markedBytes(source, 20))}`,
  KDA: (source) => `k:${bytesToHex(markedPoint(source))}`,
  MINA: mina,
  NEO: (source) => encodeBase58Check(join([0x35], markedBytes(source, 20))),
  ONT: (source) => encodeBase58Check(join([0x17], markedBytes(source, 20))),
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

// The first four bits say that the account is a user's.
function confluxTest(source: PayloadSource): string {
  const payload = join([0, 0x10], markedBytes(source, 19));
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
    if (isMinaKey(x)) return encodeBase58Check(join(MINA_PREFIX, x, [0]));
  }
}

function nimiq(source: PayloadSource): string {
  const letters = bytesToWords(markedBytes(source, 20)).map((word) => NIMIQ_ALPHABET.charAt(word));
  return encodeNimiq(letters.join(''));
}

/** Address form of a chain that shares it with others, from the tables of the address rules. */
export function otherForm(code: string): Form | undefined {
  if (Object.hasOwn(OTHER_FORMS, code)) return OTHER_FORMS[code];
  if (Object.hasOwn(BITCOIN_CHAINS, code)) return (source) => bitcoinLike(code, source);
  const account = Object.hasOwn(BECH32_CHAINS, code) ? BECH32_CHAINS[code] : undefined;
  if (account !== undefined)
    return (source) => bech32Text(account.prefix, markedBytes(source, account.lengths[0] ?? 20));
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

function internetComputer(source: PayloadSource): string {
  const account = markedBytes(source, 28);
  return crc32(account).toString(16).padStart(8, '0') + bytesToHex(account);
}

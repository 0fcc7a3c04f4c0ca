import { blake256 } from '@noble/hashes/blake1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58, decodeBase58Check } from '../codecs/base58.ts';
import { decodeBech32, decodeSegwit, type WitnessProgram, wordsToBytes } from '../codecs/bech32.ts';
import { allZero, withoutChecksum } from '../codecs/bytes.ts';
import { groestl512 } from '../codecs/groestl.ts';
import { accepted, type ParsedAddress, type ParseResult, REFUSED, refused } from '../parsed-address.ts';

/** Address forms of one network of a chain: version bytes in hexadecimal, bech32 prefixes, and private forms. */
export interface Forms {
  readonly p2pkh: readonly string[];
  readonly p2sh: readonly string[];
  readonly segwit: readonly string[];
  /** Transparent addresses that accept only transparent coins, as exchanges demand. */
  readonly exchange?: string;
  readonly mweb?: string;
  readonly sapling?: string;
  readonly spark?: string;
}

/** One chain. `shared`: versions that other chains use too. `noTaproot`: witness version 1 has no known rule there. */
export interface Chain {
  readonly main: Forms;
  readonly test: Forms;
  readonly shared?: readonly string[];
  readonly noTaproot?: true;
}

/** Makes {@link Forms}; lists are separated by spaces. */
function forms(p2pkh: string, p2sh = '', segwit = '', more: Partial<Forms> = {}): Forms {
  const list = (text: string) => text.split(' ').filter((item) => item !== '');
  return { p2pkh: list(p2pkh), p2sh: list(p2sh), segwit: list(segwit), ...more };
}

// Zcash protocol specification, 5.6.1.1.
const ZCASH = { main: forms('1cb8', '1cbd'), test: forms('1d25', '1cba') };
const ZCASH_LIKE = { ...ZCASH, shared: ['1cb8', '1cbd'] };

/** Bitcoin and its relatives, by network code. Sources: chainparams.cpp of each chain's node, params of dcrd. */
export const CHAINS: Readonly<Record<string, Chain>> = {
  ZEC: ZCASH,
  BTC: { main: forms('00', '05', 'bc'), test: forms('6f', 'c4', 'tb bcrt') },
  LTC: {
    main: forms('30', '32 05', 'ltc', { mweb: 'ltcmweb' }),
    test: forms('6f', '3a c4', 'tltc rltc', { mweb: 'tmweb' }),
    shared: ['05'],
  },
  DOGE: { main: forms('1e', '16'), test: forms('71', 'c4') },
  DASH: { main: forms('4c', '10'), test: forms('8c', '13') },
  // Script hashes (3…) ended with the upgrade of February 2020.
  BSV: { main: forms('00'), test: forms('6f'), shared: ['00'] },
  OMNI: { main: forms('00', '05'), test: forms('6f', 'c4') },
  DGB: { main: forms('1e', '3f 05', 'dgb'), test: forms('7e', '8c', 'dgbt dgbrt'), shared: ['1e', '05'] },
  RVN: { main: forms('3c', '7a'), test: forms('6f', 'c4') },
  QTUM: { main: forms('3a', '32', 'qc'), test: forms('78', '6e', 'tq qcrt'), shared: ['32'] },
  GRS: { main: forms('24', '05', 'grs'), test: forms('6f', 'c4', 'tgrs grsrt') },
  BTG: { main: forms('26', '17', 'btg'), test: forms('6f', 'c4', 'tbtg'), shared: ['17'], noTaproot: true },
  VTC: { main: forms('47', '05', 'vtc'), test: forms('4a', 'c4', 'tvtc'), shared: ['05'], noTaproot: true },
  FIRO: {
    main: forms('52', '07', '', { exchange: '01b9bb', spark: 'sm' }),
    test: forms('41', 'b2', '', { exchange: '01b9b1', spark: 'st' }),
  },
  DCR: { main: forms('073f', '071a'), test: forms('0f21 0e91', '0efc 0e6c') },
  ZEN: {
    main: forms('2089 1cb8', '2096 1cbd'),
    test: forms('2098 1d25', '2092 1cba'),
    shared: ['1cb8', '1cbd'],
  },
  KMD: { main: forms('3c', '55'), test: forms(''), shared: ['3c'] },
  PIVX: {
    main: forms('1e', '0d', '', { exchange: '01b9a2', sapling: 'ps' }),
    test: forms('8b', '13', '', { exchange: '01b9b1', sapling: 'ptestsapling' }),
    shared: ['1e', '0d'],
  },
  XVG: { main: forms('1e', '21'), test: forms('73', 'c6'), shared: ['1e'] },
  SYS: { main: forms('3f', '05', 'sys'), test: forms('41', 'c4', 'tsys'), shared: ['3f', '05'] },
  PPC: { main: forms('37', '75', 'pc'), test: forms('6f', 'c4', 'tpc'), shared: ['37'], noTaproot: true },
  NMC: { main: forms('34', '0d', 'nc'), test: forms('6f', 'c4', 'tn'), shared: ['0d'] },
  FLUX: { ...ZCASH_LIKE, main: forms('1cb8', '1cbd', '', { sapling: 'za' }) },
  ZCL: ZCASH_LIKE,
  MONA: {
    main: forms('32', '37 05', 'mona'),
    test: forms('6f', '75 c4', 'tmona'),
    shared: ['32', '37', '05'],
    noTaproot: true,
  },
};

// The hashes inside 1BitcoinEaterAddressDontSendf59kuE and 1CounterpartyXXXXXXXXXXXXXXXUWLpVr.
const BURNED = new Set([
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9',
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821',
]);

/** What somebody wrote, such as DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr, and no key can be found for. */
const REPEATED = /([^1])\1{11}/;

const HASH_LENGTH = 20;

const ANYONE_CAN_SPEND = 'This witness version has no spending rule yet: anyone could take funds sent to it.';
const SHARED = 'Another chain has the same address format: make sure that the wallet is for this chain.';
const PRIVATE = {
  mweb: 'This is a private (MWEB) address: pay it only if the service says that it can.',
  sapling: 'This is a shielded (Sapling) address: pay it only if the service says that it can.',
  spark: 'This is a private (Spark) address: pay it only if the service says that it can.',
};

/** Whether a key or script hash is a burn hash, of which no one has the preimage. */
export function isBurnHash(hash: Uint8Array): boolean {
  return allZero(hash) || BURNED.has(bytesToHex(hash));
}

/** Parses base58check and segwit addresses of Bitcoin and its relatives (BIP-13, BIP-173, BIP-350), and private forms. */
export function parseBitcoin(address: string, code: string): ParseResult {
  return parseWith(decodeBase58Check, address, code);
}

/** Parses an address of Bitcoin or a relative with the checksum of that decoder. */
function parseWith(decode: (text: string) => Uint8Array | undefined, address: string, code: string) {
  const chain = CHAINS[code];
  if (chain === undefined) return refused('swapctl has no version bytes for this chain.');
  return (
    parseBase58(decode(address), address, chain) ??
    parseSegwit(address, chain) ??
    parsePrivate(address, chain) ??
    REFUSED.network
  );
}

/** Parses only the base58check forms. */
export function parseTransparent(address: string, code: string): ParseResult | undefined {
  const chain = CHAINS[code];
  return chain && parseBase58(decodeBase58Check(address), address, chain);
}

function parseBase58(bytes: Uint8Array | undefined, address: string, chain: Chain): ParseResult | undefined {
  if (bytes === undefined) return undefined;
  const version = bytesToHex(bytes.subarray(0, -HASH_LENGTH));
  const mainKind = kindOf(version, chain.main);
  const kind = mainKind ?? kindOf(version, chain.test);
  if (kind === undefined) return undefined;
  if (isBurnHash(bytes.subarray(-HASH_LENGTH)) || REPEATED.test(address)) return REFUSED.system;
  const testnet = mainKind === undefined;
  const warnings = !testnet && chain.shared?.includes(version) ? [SHARED] : [];
  return accepted(kind, address, { testnet, warnings });
}

function kindOf(version: string, { p2pkh, p2sh, exchange }: Forms): string | undefined {
  if (p2pkh.includes(version)) return 'p2pkh';
  if (p2sh.includes(version)) return 'p2sh';
  return version === exchange ? 'exchange' : undefined;
}

function parseSegwit(address: string, chain: Chain): ParseResult | undefined {
  const witness = decodeSegwit(address);
  if (witness === undefined) return undefined;
  const testnet = chain.test.segwit.includes(witness.prefix);
  if (!testnet && !chain.main.segwit.includes(witness.prefix)) return undefined;
  if (isBurnHash(witness.program)) return REFUSED.system;
  const kind = witnessKind(witness, chain);
  const warnings = kind === 'future-witness' ? [ANYONE_CAN_SPEND] : [];
  return accepted(kind, address.toLowerCase(), { testnet, warnings });
}

function witnessKind({ version, program }: WitnessProgram, { noTaproot }: Chain): string {
  if (version === 0) return program.length === 20 ? 'p2wpkh' : 'p2wsh';
  return version === 1 && program.length === 32 && noTaproot !== true ? 'p2tr' : 'future-witness';
}

function parsePrivate(address: string, { main, test }: Chain): ParsedAddress | undefined {
  const decoded = decodeBech32(address);
  if (decoded === undefined) return undefined;
  const form = (['mweb', 'sapling', 'spark'] as const).find(
    (kind) => main[kind] === decoded.prefix || test[kind] === decoded.prefix,
  );
  if (form === undefined) return undefined;
  const { encoding, words } = decoded;
  const { encoding: expected, length } = SHIELDED_ADDRESS_FORMATS[form];
  // MWEB addresses begin with version 0, and hold two compressed keys of 33 bytes (LIP-0004).
  const bytes = wordsToBytes(form === 'mweb' ? words.slice(1) : words);
  if (encoding !== expected || bytes?.length !== length) return undefined;
  const isCompressed = (byte: number | undefined) => byte === 2 || byte === 3;
  if (form === 'mweb' && (words[0] !== 0 || !isCompressed(bytes[0]) || !isCompressed(bytes[33])))
    return undefined;
  const testnet = test[form] === decoded.prefix;
  return accepted(form, address.toLowerCase(), { testnet, warnings: [PRIVATE[form]] });
}

// Bytes of an MWEB stealth address without its version (LIP-0004), of a Sapling address, and of two points of 34 bytes
// and a diversifier of 16, scrambled (Firo, libspark).
const SHIELDED_ADDRESS_FORMATS = {
  mweb: { encoding: 'bech32', length: 66 },
  sapling: { encoding: 'bech32', length: 43 },
  spark: { encoding: 'bech32m', length: 84 },
} as const;

// Two version bytes, hash and checksum.
const DECRED_LENGTH = 26;
const DECRED_FIRST_BYTES = [0x07, 0x0e, 0x0f];

/** Parses an address of Decred: key hash (Ds…) or script hash (Dc…) in base58 with a checksum of BLAKE-256 twice. */
export function parseDecred(address: string, code: string): ParseResult {
  return parseWith(decodeDecred, address, code);
}

function decodeDecred(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes?.length !== DECRED_LENGTH || !DECRED_FIRST_BYTES.includes(bytes[0] ?? -1)) return undefined;
  return withoutChecksum(bytes, (body) => blake256(blake256(body)));
}

// Version byte, hash and checksum. The hash costs a millisecond, so it is for texts that can be of this chain alone.
const GROESTLCOIN_LENGTH = 25;
const GROESTLCOIN_VERSIONS = [0x24, 0x05, 0x6f, 0xc4];

/** Parses an address of Groestlcoin: Bitcoin's forms, base58 with a checksum of Grøstl-512 twice. */
export function parseGroestlcoin(address: string, code: string): ParseResult {
  return parseWith(decodeGroestlcoin, address, code);
}

function decodeGroestlcoin(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text);
  if (bytes?.length !== GROESTLCOIN_LENGTH || !GROESTLCOIN_VERSIONS.includes(bytes[0] ?? -1))
    return undefined;
  return withoutChecksum(bytes, (body) => groestl512(groestl512(body)));
}

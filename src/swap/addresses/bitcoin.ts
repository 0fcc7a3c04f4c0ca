import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase58Check } from './codecs/base58check.ts';
import { decodeBech32, wordsToBytes } from './codecs/bech32.ts';
import { allZero } from './codecs/bytes.ts';
import { decodeSegwit, type WitnessProgram } from './codecs/segwit.ts';
import { type Misreading, misread, type Reading, reading, SYSTEM_ADDRESS } from './reading.ts';

/** Version bytes and prefixes of one chain, on one of its networks. */
interface Forms {
  readonly p2pkh: readonly number[];
  readonly p2sh: readonly number[];
  readonly segwit: readonly string[];
  readonly mweb?: string;
}

/** `shared` are script versions that another chain uses too, so that the text cannot tell the chain. */
interface Chain {
  readonly main: Forms;
  readonly test: Forms;
  readonly shared?: readonly number[];
}

const BITCOIN_LEGACY: Forms = { p2pkh: [0x00], p2sh: [0x05], segwit: [] };
const BITCOIN_TEST: Forms = { p2pkh: [0x6f], p2sh: [0xc4], segwit: [] };

// Sources: chainparams.cpp of each chain's node.
const CHAINS: Readonly<Record<string, Chain>> = {
  BTC: {
    main: { ...BITCOIN_LEGACY, segwit: ['bc'] },
    test: { ...BITCOIN_TEST, segwit: ['tb', 'bcrt'] },
  },
  LTC: {
    main: { p2pkh: [0x30], p2sh: [0x32, 0x05], segwit: ['ltc'], mweb: 'ltcmweb' },
    test: { p2pkh: [0x6f], p2sh: [0x3a, 0xc4], segwit: ['tltc', 'rltc'], mweb: 'tmweb' },
    shared: [0x05],
  },
  DOGE: {
    main: { p2pkh: [0x1e], p2sh: [0x16], segwit: [] },
    test: { p2pkh: [0x71], p2sh: [0xc4], segwit: [] },
  },
  DASH: {
    main: { p2pkh: [0x4c], p2sh: [0x10], segwit: [] },
    test: { p2pkh: [0x8c], p2sh: [0x13], segwit: [] },
  },
  BSV: { main: BITCOIN_LEGACY, test: BITCOIN_TEST, shared: [0x00, 0x05] },
  OMNI: { main: BITCOIN_LEGACY, test: BITCOIN_TEST },
  DGB: {
    main: { p2pkh: [0x1e], p2sh: [0x3f, 0x05], segwit: ['dgb'] },
    test: { p2pkh: [0x7e], p2sh: [0x8c], segwit: ['dgbt', 'dgbrt'] },
    shared: [0x1e, 0x05],
  },
  RVN: { main: { p2pkh: [0x3c], p2sh: [0x7a], segwit: [] }, test: BITCOIN_TEST },
  QTUM: {
    main: { p2pkh: [0x3a], p2sh: [0x32], segwit: ['qc'] },
    test: { p2pkh: [0x78], p2sh: [0x6e], segwit: ['tq', 'qcrt'] },
    shared: [0x32],
  },
};

// The hashes inside 1BitcoinEaterAddressDontSendf59kuE and 1CounterpartyXXXXXXXXXXXXXXXUWLpVr.
const EATERS = new Set([
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9',
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821',
]);

const ANYONE_CAN_SPEND =
  'This witness version has no spending rule yet: today anyone could take what is sent to it.';
const MWEB = 'This is a private (MWEB) address: pay it only if the service says that it can.';
const SHARED =
  'Another chain writes its addresses the same way: make sure that the wallet is one for this chain.';

/** Tells whether a key or script hash is one that nobody has the preimage of. */
export function isBurnHash(hash: Uint8Array): boolean {
  return allZero(hash) || EATERS.has(bytesToHex(hash));
}

/** Reads base58check and segwit addresses of Bitcoin and its relatives (BIP-13, BIP-173, BIP-350; Litecoin MWEB). */
export function readBitcoin(address: string, code: string): Reading | Misreading {
  const chain = CHAINS[code];
  if (chain === undefined) return misread('swapctl has no version bytes for this chain.');
  return readBase58(address, chain) ?? readSegwit(address, chain) ?? readMweb(address, chain) ?? refusal();
}

function refusal(): Misreading {
  return misread('The address has the wrong checksum, length or network.');
}

function readBase58(address: string, chain: Chain): Reading | Misreading | undefined {
  const bytes = decodeBase58Check(address);
  const version = bytes?.[0];
  if (bytes === undefined || version === undefined || bytes.length !== 21) return undefined;
  const testnet = ![...chain.main.p2pkh, ...chain.main.p2sh].includes(version);
  const forms = testnet ? chain.test : chain.main;
  const kind = forms.p2pkh.includes(version) ? 'p2pkh' : forms.p2sh.includes(version) ? 'p2sh' : undefined;
  if (kind === undefined) return undefined;
  if (isBurnHash(bytes.subarray(1))) return SYSTEM_ADDRESS;
  const warnings = !testnet && chain.shared?.includes(version) ? [SHARED] : [];
  return reading(kind, address, { testnet, warnings });
}

function readSegwit(address: string, chain: Chain): Reading | Misreading | undefined {
  const witness = decodeSegwit(address);
  if (witness === undefined) return undefined;
  const testnet = chain.test.segwit.includes(witness.prefix);
  if (!testnet && !chain.main.segwit.includes(witness.prefix)) return undefined;
  if (isBurnHash(witness.program)) return SYSTEM_ADDRESS;
  const kind = witnessKind(witness);
  const warnings = kind === 'future-witness' ? [ANYONE_CAN_SPEND] : [];
  return reading(kind, address.toLowerCase(), { testnet, warnings });
}

function witnessKind({ version, program }: WitnessProgram): string {
  if (version === 0) return program.length === 20 ? 'p2wpkh' : 'p2wsh';
  return version === 1 && program.length === 32 ? 'p2tr' : 'future-witness';
}

// MWEB stealth addresses are version 0 in bech32 and hold two compressed keys of 33 bytes (LIP-0004).
function readMweb(address: string, chain: Chain): Reading | undefined {
  const decoded = decodeBech32(address, 128);
  if (decoded?.encoding !== 'bech32' || decoded.words[0] !== 0) return undefined;
  const testnet = decoded.prefix === chain.test.mweb;
  if (!testnet && decoded.prefix !== chain.main.mweb) return undefined;
  const keys = wordsToBytes(decoded.words.slice(1));
  const compressed = (byte: number | undefined): boolean => byte === 2 || byte === 3;
  if (keys?.length !== 66 || !compressed(keys[0]) || !compressed(keys[33])) return undefined;
  return reading('mweb', address.toLowerCase(), { testnet, warnings: [MWEB] });
}

import { decodeBech32, wordsToBytes } from '../codecs/bech32.ts';
import { allZero } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused } from '../parsed-address.ts';

interface Chain {
  readonly prefix: string;
  readonly lengths: readonly number[];
  readonly test?: readonly string[];
  /** Warning about another chain with the same prefix. */
  readonly shared?: string;
}

// An account of the Cosmos SDK is the hash of a key (20 bytes) or of a module or contract (32 bytes; ADR-028).
const sdk = (prefix: string, test: readonly string[] = []): Chain => ({ prefix, lengths: [20, 32], test });

const TERRA =
  'Terra and Terra Classic have the same address format: make sure that the wallet is for this chain.';

/** Prefix and lengths by network code; the first length is that of a key. */
export const BECH32_CHAINS: Readonly<Record<string, Chain>> = {
  ATOM: sdk('cosmos'),
  OSMO: sdk('osmo'),
  TIA: sdk('celestia'),
  SEI: sdk('sei'),
  INJ: sdk('inj'),
  JUNO: sdk('juno'),
  SCRT: sdk('secret'),
  AKT: sdk('akash'),
  AXL: sdk('axelar'),
  RUNE: sdk('thor', ['sthor', 'tthor']),
  CACAO: sdk('maya', ['smaya', 'tmaya']),
  LUNA: { ...sdk('terra'), shared: TERRA },
  LUNC: { ...sdk('terra'), shared: TERRA },
  KAVA: sdk('kava'),
  DYDX: sdk('dydx'),
  NTRN: sdk('neutron'),
  STRD: sdk('stride'),
  DYM: sdk('dym'),
  SAGA: sdk('saga'),
  STARS: sdk('stars'),
  NOBLE: sdk('noble'),
  CROPOS: sdk('cro', ['tcro']),
  FET: sdk('fetch'),
  BAND: sdk('band'),
  EVMOS: sdk('evmos'),
  KUJI: sdk('kujira'),
  COREUM: sdk('core', ['testcore', 'devcore']),
  XPLA: sdk('xpla'),
  ONE: { prefix: 'one', lengths: [20], test: ['tone'] },
  // A version byte and a hash of 20 bytes.
  ROSE: { prefix: 'oasis', lengths: [21] },
  EGLD: { prefix: 'erd', lengths: [32] },
  ZIL: { prefix: 'zil', lengths: [20], test: ['tzil'] },
};

/** Parses a plain bech32 account with exactly the prefix of its chain; validators and keys have others. */
export function parseBech32Account(address: string, code: string): ParseResult {
  const chain = BECH32_CHAINS[code];
  const decoded = decodeBech32(address);
  if (chain === undefined || decoded?.encoding !== 'bech32') return REFUSED.length;
  const testnet = chain.test?.includes(decoded.prefix) ?? false;
  if (!testnet && decoded.prefix !== chain.prefix)
    return refused(`The address must begin with ${chain.prefix}1.`);
  const bytes = wordsToBytes(decoded.words);
  if (bytes === undefined || !chain.lengths.includes(bytes.length))
    return refused('The address has the wrong length for an account.');
  if (allZero(bytes)) return REFUSED.system;
  const warnings = chain.shared === undefined ? [] : [chain.shared];
  return accepted('account', address.toLowerCase(), { testnet, warnings });
}

const AVALANCHE_MAIN = 'avax';
const AVALANCHE_TEST = ['fuji', 'local', 'custom'];

const AVALANCHE_WITHOUT_CHAIN =
  'The address does not name its chain, as X-avax1… or P-avax1… would: make sure that it is for this chain.';

/** Parses an address of Avalanche's X-Chain or P-Chain: the letter of the chain, a hyphen, and 20 bytes in bech32. */
export function parseAvalanche(address: string, code: string): ParseResult {
  const chain = code === 'AVAXX' ? 'X' : 'P';
  const bare = !address.includes('-');
  if (!bare && !address.startsWith(`${chain}-`))
    return refused(`The address must begin with ${chain}-avax1.`);
  const rest = bare ? address : address.slice(2);
  const decoded = decodeBech32(rest);
  const bytes = decoded?.encoding === 'bech32' ? wordsToBytes(decoded.words) : undefined;
  const testnet = AVALANCHE_TEST.includes(decoded?.prefix ?? '');
  if (bytes?.length !== 20 || (!testnet && decoded?.prefix !== AVALANCHE_MAIN)) return REFUSED.network;
  if (allZero(bytes)) return REFUSED.system;
  const canonical = `${bare ? '' : `${chain}-`}${rest.toLowerCase()}`;
  return accepted('account', canonical, { testnet, warnings: bare ? [AVALANCHE_WITHOUT_CHAIN] : [] });
}

const CHIA_TEST = 'txch';

/** Parses a Chia address: bech32m of the 32-byte hash of a puzzle (docs.chia.net, chia/util/bech32m.py). */
export function parseChia(address: string): ParseResult {
  const decoded = decodeBech32(address);
  if (decoded?.encoding !== 'bech32m') return REFUSED.length;
  if (decoded.prefix !== 'xch' && decoded.prefix !== CHIA_TEST)
    return refused('The address must begin with xch1.');
  const hash = wordsToBytes(decoded.words);
  if (hash?.length !== 32) return refused('The address has the wrong length.');
  // People burn at 0x00…00 and 0x00…dead.
  if (allZero(hash.subarray(0, 30))) return REFUSED.system;
  return accepted('puzzle-hash', address.toLowerCase(), { testnet: decoded.prefix === CHIA_TEST });
}

const NERVOS_TEST = 'ckt';

// RFC 21: https://github.com/nervosnetwork/rfcs/blob/master/rfcs/0021-ckb-address-format/0021-ckb-address-format.md
const NERVOS_FULL = 0x00;
const NERVOS_SHORT = 0x01;
const NERVOS_FULL_OLD: readonly number[] = [0x02, 0x04];
/** By data, by type, and by data for the second and third version of the machine (RFC 32, CKB2023). */
const NERVOS_HASH_TYPES: readonly number[] = [0, 1, 2, 4];
/** The popular locks that a short address names by number: one signature, several, anyone can pay. */
const NERVOS_SHORT_LOCKS = 3;

const NERVOS_OLD =
  'This is an older form of address that Nervos no longer recommends: ask the wallet for the new one.';
const NERVOS_OLD_FULL =
  'This older form lets some lost or added characters pass unnoticed: ask the wallet for the new one, or compare every character.';

/** Parses a Nervos CKB address: a whole lock script in bech32m, or one of the deprecated forms in bech32 (RFC 21). */
export function parseNervos(address: string): ParseResult {
  const decoded = decodeBech32(address);
  if (decoded === undefined) return REFUSED.checksum;
  const testnet = decoded.prefix === NERVOS_TEST;
  if (!testnet && decoded.prefix !== 'ckb') return refused('The address must begin with ckb1.');
  const payload = wordsToBytes(decoded.words);
  const form = payload && nervosForm(decoded.encoding, payload);
  if (payload === undefined || form === undefined) return refused('The address is not a lock of Nervos CKB.');
  // No script has this hash, so nothing could ever unlock it.
  if (allZero(payload.subarray(1, 33))) return REFUSED.system;
  return accepted(form.kind, address.toLowerCase(), { testnet, warnings: form.warnings });
}

function nervosForm(encoding: 'bech32' | 'bech32m', payload: Uint8Array) {
  const [format = -1, lock = -1] = payload;
  if (encoding === 'bech32m') {
    const isFull = format === NERVOS_FULL && NERVOS_HASH_TYPES.includes(payload[33] ?? -1);
    return isFull ? { kind: 'full', warnings: [] } : undefined;
  }
  if (format === NERVOS_SHORT && payload.length === 22 && lock < NERVOS_SHORT_LOCKS)
    return { kind: 'short', warnings: [NERVOS_OLD] };
  const isOldFull = NERVOS_FULL_OLD.includes(format) && payload.length >= 33;
  return isOldFull ? { kind: 'full-deprecated', warnings: [NERVOS_OLD_FULL] } : undefined;
}

import { decodeBech32, wordsToBytes } from './codecs/bech32.ts';
import { allZero } from './codecs/bytes.ts';
import { type Misreading, misread, type Reading, reading, SYSTEM_ADDRESS } from './reading.ts';

interface Chain {
  readonly prefix: string;
  readonly lengths: readonly number[];
  readonly test?: readonly string[];
}

// An account of the Cosmos SDK is the hash of a key (20 bytes) or of a module or contract (32 bytes; ADR-028).
const sdk = (prefix: string, test: readonly string[] = []): Chain => ({ prefix, lengths: [20, 32], test });

const CHAINS: Readonly<Record<string, Chain>> = {
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
  LUNA: sdk('terra'),
  LUNC: sdk('terra'),
  KAVA: sdk('kava'),
  DYDX: sdk('dydx'),
  NTRN: sdk('neutron'),
  STRD: sdk('stride'),
  DYM: sdk('dym'),
  SAGA: sdk('saga'),
  STARS: sdk('stars'),
  NOBLE: sdk('noble'),
  EGLD: { prefix: 'erd', lengths: [32] },
  ZIL: { prefix: 'zil', lengths: [20], test: ['tzil'] },
};

/**
 * Reads a plain bech32 account with exactly the prefix of its chain: the Cosmos chains, MultiversX, Zilliqa.
 * Validator (`…valoper`) and key (`…pub`) forms are other prefixes; bech32m is not used.
 */
export function readBech32Account(address: string, code: string): Reading | Misreading {
  const chain = CHAINS[code];
  const decoded = decodeBech32(address);
  if (chain === undefined || decoded?.encoding !== 'bech32') {
    return misread('The address has the wrong checksum or length.');
  }
  const testnet = chain.test?.includes(decoded.prefix) ?? false;
  if (!testnet && decoded.prefix !== chain.prefix) {
    return misread(`The address must begin with ${chain.prefix}1.`);
  }
  const bytes = wordsToBytes(decoded.words);
  if (bytes === undefined || !chain.lengths.includes(bytes.length)) {
    return misread('The address has the wrong length for an account.');
  }
  return allZero(bytes) ? SYSTEM_ADDRESS : reading('account', address.toLowerCase(), { testnet });
}

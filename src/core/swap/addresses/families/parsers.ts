import type { ParseAddress } from '../parsed-address.ts';
import { parseEos, parseGraphene, parseHedera, parseNear } from './account-names.ts';
import {
  parseAlgorand,
  parseNano,
  parseNem,
  parseNimiq,
  parseStacks,
  parseStellar,
} from './base32-accounts.ts';
import { parseAlephium, parseErgo, parseFio, parseSubstrate, parseWaves } from './base58-accounts.ts';
import { parseMina, parseNeo, parseTezos, parseTron, parseXrp } from './base58check-accounts.ts';
import { parseArweave, parseTon } from './base64-accounts.ts';
import { parseAvalanche, parseBech32Account, parseChia, parseNervos } from './bech32-accounts.ts';
import { parseBitcoin, parseDecred, parseGroestlcoin } from './bitcoin.ts';
import { parseCardano } from './cardano.ts';
import { parseBitcoinCash, parseConflux, parseKaspa } from './cashaddr-accounts.ts';
import { parseMonero, parseSolana } from './ed25519-accounts.ts';
import { parseEvm, parseEvmDialect } from './evm.ts';
import { parseFilecoin } from './filecoin.ts';
import {
  parseFlow,
  parseIcon,
  parseInternetComputer,
  parseKadena,
  parseMove,
  parseSiacoin,
  parseStarknet,
} from './hex-accounts.ts';
import { parseZcash } from './zcash.ts';

/** The parser of each family: the rules of its addresses are in the file that it is imported from. */
export const PARSERS = {
  alephium: parseAlephium,
  algorand: parseAlgorand,
  arweave: parseArweave,
  avalanche: parseAvalanche,
  bech32: parseBech32Account,
  bitcoin: parseBitcoin,
  'bitcoin-cash': parseBitcoinCash,
  cardano: parseCardano,
  chia: parseChia,
  conflux: parseConflux,
  decred: parseDecred,
  eos: parseEos,
  ergo: parseErgo,
  evm: parseEvm,
  'evm-dialect': parseEvmDialect,
  filecoin: parseFilecoin,
  fio: parseFio,
  flow: parseFlow,
  graphene: parseGraphene,
  groestlcoin: parseGroestlcoin,
  hedera: parseHedera,
  icon: parseIcon,
  'internet-computer': parseInternetComputer,
  kadena: parseKadena,
  kaspa: parseKaspa,
  mina: parseMina,
  monero: parseMonero,
  move: parseMove,
  nano: parseNano,
  near: parseNear,
  nem: parseNem,
  neo: parseNeo,
  nervos: parseNervos,
  nimiq: parseNimiq,
  siacoin: parseSiacoin,
  solana: parseSolana,
  stacks: parseStacks,
  starknet: parseStarknet,
  stellar: parseStellar,
  substrate: parseSubstrate,
  tezos: parseTezos,
  ton: parseTon,
  tron: parseTron,
  waves: parseWaves,
  xrp: parseXrp,
  zcash: parseZcash,
} as const satisfies Readonly<Record<string, ParseAddress>>;

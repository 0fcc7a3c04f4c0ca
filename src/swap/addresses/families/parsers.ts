import type { Family } from '../../networks/network.ts';
import type { ParseAddress } from '../parsed-address.ts';
import { parseEos, parseGraphene, parseNear } from './account-names.ts';
import { parseAlephium } from './alephium.ts';
import { parseArweave } from './arweave.ts';
import { parseAlgorand, parseNano, parseNimiq, parseStacks } from './base32-accounts.ts';
import { parseNeo, parseTezos, parseTron } from './base58check-accounts.ts';
import { parseAvalanche, parseBech32Account, parseChia } from './bech32-accounts.ts';
import { parseBitcoin, parseDecred, parseGroestlcoin } from './bitcoin.ts';
import { parseCardano } from './cardano.ts';
import { parseBitcoinCash, parseConflux, parseKaspa } from './cashaddr-accounts.ts';
import { parseErgo } from './ergo.ts';
import { parseEvm, parseEvmDialect } from './evm.ts';
import { parseFilecoin } from './filecoin.ts';
import { parseFio } from './fio.ts';
import { parseFlow } from './flow.ts';
import { parseHedera } from './hedera.ts';
import { parseIcon, parseInternetComputer, parseKadena, parseMove, parseSiacoin } from './hex-accounts.ts';
import { parseMina } from './mina.ts';
import { parseMonero } from './monero.ts';
import { parseNem } from './nem.ts';
import { parseNervos } from './nervos.ts';
import { parseSolana } from './solana.ts';
import { parseStarknet } from './starknet.ts';
import { parseStellar } from './stellar.ts';
import { parseSubstrate } from './substrate.ts';
import { parseTon } from './ton.ts';
import { parseWaves } from './waves.ts';
import { parseXrp } from './xrp.ts';
import { parseZcash } from './zcash.ts';

/** The parser of each family: the rules of its addresses are in the file that it is imported from. */
export const PARSERS: Readonly<Record<Family, ParseAddress>> = {
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
};

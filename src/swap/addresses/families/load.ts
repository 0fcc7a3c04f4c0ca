import type { Family } from '../../networks/network.ts';
import type { ParseAddress } from '../parsed-address.ts';
import { LONE_LOADERS } from './lone.ts';

// Each family is a chunk of its own: a check loads one of them, in about 20 ms.
const LOADERS: Readonly<Record<Family, () => Promise<ParseAddress>>> = {
  algorand: async () => (await import('./account/algorand.ts')).parseAlgorand,
  avalanche: async () => (await import('./utxo/avalanche.ts')).parseAvalanche,
  bech32: async () => (await import('./account/bech32-account.ts')).parseBech32Account,
  bitcoin: async () => (await import('./utxo/bitcoin.ts')).parseBitcoin,
  'bitcoin-cash': async () => (await import('./utxo/bitcoin-cash.ts')).parseBitcoinCash,
  cardano: async () => (await import('./utxo/cardano.ts')).parseCardano,
  decred: async () => (await import('./utxo/decred.ts')).parseDecred,
  eos: async () => (await import('./named/eos.ts')).parseEos,
  evm: async () => (await import('./evm/evm.ts')).parseEvm,
  'evm-dialect': async () => (await import('./evm/evm-dialects.ts')).parseEvmDialect,
  filecoin: async () => (await import('./account/filecoin.ts')).parseFilecoin,
  groestlcoin: async () => (await import('./utxo/groestlcoin.ts')).parseGroestlcoin,
  hedera: async () => (await import('./named/hedera.ts')).parseHedera,
  'internet-computer': async () => (await import('./account/internet-computer.ts')).parseInternetComputer,
  kaspa: async () => (await import('./utxo/kaspa.ts')).parseKaspa,
  monero: async () => (await import('./utxo/monero.ts')).parseMonero,
  move: async () => (await import('./account/move.ts')).parseMove,
  nano: async () => (await import('./account/nano.ts')).parseNano,
  near: async () => (await import('./named/near.ts')).parseNear,
  solana: async () => (await import('./account/solana.ts')).parseSolana,
  starknet: async () => (await import('./account/starknet.ts')).parseStarknet,
  stellar: async () => (await import('./account/stellar.ts')).parseStellar,
  substrate: async () => (await import('./account/substrate.ts')).parseSubstrate,
  tezos: async () => (await import('./account/tezos.ts')).parseTezos,
  ton: async () => (await import('./account/ton.ts')).parseTon,
  tron: async () => (await import('./evm/tron.ts')).parseTron,
  xrp: async () => (await import('./account/xrp.ts')).parseXrp,
  zcash: async () => (await import('./utxo/zcash.ts')).parseZcash,
  ...LONE_LOADERS,
};

const loaded = new Map<Family, ParseAddress>();

/** Loads the parser of a family on its first use. */
export async function loadFamily(family: Family): Promise<ParseAddress> {
  const known = loaded.get(family);
  if (known !== undefined) return known;
  const read = await LOADERS[family]();
  loaded.set(family, read);
  return read;
}

/** Loads all families, for a server or a running create, which must not need the program's files later. */
export async function loadEveryFamily(): Promise<void> {
  await Promise.all(Object.values(LOADERS).map((load) => load()));
}

import type { Family } from '../../networks/network.ts';
import type { ReadAddress } from '../parsed-address.ts';
import { LONE_LOADERS } from './lone.ts';

// Each family is its own chunk of the program: a check loads one of them, in about 20 ms.
const LOADERS: Readonly<Record<Family, () => Promise<ReadAddress>>> = {
  algorand: async () => (await import('./account/algorand.ts')).readAlgorand,
  avalanche: async () => (await import('./utxo/avalanche.ts')).readAvalanche,
  bech32: async () => (await import('./account/bech32-account.ts')).readBech32Account,
  bitcoin: async () => (await import('./utxo/bitcoin.ts')).readBitcoin,
  'bitcoin-cash': async () => (await import('./utxo/bitcoin-cash.ts')).readBitcoinCash,
  cardano: async () => (await import('./utxo/cardano.ts')).readCardano,
  decred: async () => (await import('./utxo/decred.ts')).readDecred,
  eos: async () => (await import('./named/eos.ts')).readEos,
  evm: async () => (await import('./evm/evm.ts')).readEvm,
  'evm-dialect': async () => (await import('./evm/evm-dialects.ts')).readEvmDialect,
  filecoin: async () => (await import('./account/filecoin.ts')).readFilecoin,
  groestlcoin: async () => (await import('./utxo/groestlcoin.ts')).readGroestlcoin,
  hedera: async () => (await import('./named/hedera.ts')).readHedera,
  'internet-computer': async () => (await import('./account/internet-computer.ts')).readInternetComputer,
  kaspa: async () => (await import('./utxo/kaspa.ts')).readKaspa,
  monero: async () => (await import('./utxo/monero.ts')).readMonero,
  move: async () => (await import('./account/move.ts')).readMove,
  nano: async () => (await import('./account/nano.ts')).readNano,
  near: async () => (await import('./named/near.ts')).readNear,
  solana: async () => (await import('./account/solana.ts')).readSolana,
  starknet: async () => (await import('./account/starknet.ts')).readStarknet,
  stellar: async () => (await import('./account/stellar.ts')).readStellar,
  substrate: async () => (await import('./account/substrate.ts')).readSubstrate,
  tezos: async () => (await import('./account/tezos.ts')).readTezos,
  ton: async () => (await import('./account/ton.ts')).readTon,
  tron: async () => (await import('./evm/tron.ts')).readTron,
  xrp: async () => (await import('./account/xrp.ts')).readXrp,
  zcash: async () => (await import('./utxo/zcash.ts')).readZcash,
  ...LONE_LOADERS,
};

const loaded = new Map<Family, ReadAddress>();

/** Loads the one function of a family, the first time. */
export async function loadFamily(family: Family): Promise<ReadAddress> {
  const known = loaded.get(family);
  if (known !== undefined) return known;
  const read = await LOADERS[family]();
  loaded.set(family, read);
  return read;
}

/** Loads all families, for whoever must not need the program's files any more: a server, a create under way. */
export async function loadEveryFamily(): Promise<void> {
  await Promise.all(Object.values(LOADERS).map((load) => load()));
}

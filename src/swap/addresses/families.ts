import type { Family } from '../networks/network.ts';
import { LONE_LOADERS } from './lone-families.ts';
import type { ReadAddress } from './reading.ts';

// Each family is its own chunk of the program: a check loads one of them, in about 20 ms.
const LOADERS: Readonly<Record<Family, () => Promise<ReadAddress>>> = {
  algorand: async () => (await import('./algorand.ts')).readAlgorand,
  avalanche: async () => (await import('./avalanche.ts')).readAvalanche,
  bech32: async () => (await import('./bech32-account.ts')).readBech32Account,
  bitcoin: async () => (await import('./bitcoin.ts')).readBitcoin,
  'bitcoin-cash': async () => (await import('./bitcoin-cash.ts')).readBitcoinCash,
  cardano: async () => (await import('./cardano.ts')).readCardano,
  decred: async () => (await import('./decred.ts')).readDecred,
  eos: async () => (await import('./eos.ts')).readEos,
  evm: async () => (await import('./evm.ts')).readEvm,
  'evm-dialect': async () => (await import('./evm-dialects.ts')).readEvmDialect,
  filecoin: async () => (await import('./filecoin.ts')).readFilecoin,
  groestlcoin: async () => (await import('./groestlcoin.ts')).readGroestlcoin,
  hedera: async () => (await import('./hedera.ts')).readHedera,
  'internet-computer': async () => (await import('./internet-computer.ts')).readInternetComputer,
  kaspa: async () => (await import('./kaspa.ts')).readKaspa,
  monero: async () => (await import('./monero.ts')).readMonero,
  move: async () => (await import('./move.ts')).readMove,
  nano: async () => (await import('./nano.ts')).readNano,
  near: async () => (await import('./near.ts')).readNear,
  solana: async () => (await import('./solana.ts')).readSolana,
  starknet: async () => (await import('./starknet.ts')).readStarknet,
  stellar: async () => (await import('./stellar.ts')).readStellar,
  substrate: async () => (await import('./substrate.ts')).readSubstrate,
  tezos: async () => (await import('./tezos.ts')).readTezos,
  ton: async () => (await import('./ton.ts')).readTon,
  tron: async () => (await import('./tron.ts')).readTron,
  xrp: async () => (await import('./xrp.ts')).readXrp,
  zcash: async () => (await import('./zcash.ts')).readZcash,
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

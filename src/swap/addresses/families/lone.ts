import type { LoneFamily } from '../../networks/network.ts';
import type { ReadAddress } from '../parsed-address.ts';

/** Loads the one function of a family that has a form of its own, as `load.ts` does for the others. */
export const LONE_LOADERS: Readonly<Record<LoneFamily, () => Promise<ReadAddress>>> = {
  alephium: async () => (await import('./utxo/alephium.ts')).readAlephium,
  arweave: async () => (await import('./account/arweave.ts')).readArweave,
  chia: async () => (await import('./utxo/chia.ts')).readChia,
  conflux: async () => (await import('./evm/conflux.ts')).readConflux,
  ergo: async () => (await import('./utxo/ergo.ts')).readErgo,
  fio: async () => (await import('./named/fio.ts')).readFio,
  flow: async () => (await import('./account/flow.ts')).readFlow,
  graphene: async () => (await import('./named/graphene.ts')).readGraphene,
  icon: async () => (await import('./evm/icon.ts')).readIcon,
  kadena: async () => (await import('./account/kadena.ts')).readKadena,
  mina: async () => (await import('./account/mina.ts')).readMina,
  nem: async () => (await import('./account/nem.ts')).readNem,
  neo: async () => (await import('./account/neo.ts')).readNeo,
  nervos: async () => (await import('./utxo/nervos.ts')).readNervos,
  nimiq: async () => (await import('./account/nimiq.ts')).readNimiq,
  siacoin: async () => (await import('./utxo/siacoin.ts')).readSiacoin,
  stacks: async () => (await import('./account/stacks.ts')).readStacks,
  waves: async () => (await import('./account/waves.ts')).readWaves,
};

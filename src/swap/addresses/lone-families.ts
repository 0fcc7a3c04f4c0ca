import type { LoneFamily } from '../networks/network.ts';
import type { ReadAddress } from './reading.ts';

/** Loads the one function of a family that has a form of its own, as `families.ts` does for the others. */
export const LONE_LOADERS: Readonly<Record<LoneFamily, () => Promise<ReadAddress>>> = {
  alephium: async () => (await import('./alephium.ts')).readAlephium,
  arweave: async () => (await import('./arweave.ts')).readArweave,
  chia: async () => (await import('./chia.ts')).readChia,
  conflux: async () => (await import('./conflux.ts')).readConflux,
  ergo: async () => (await import('./ergo.ts')).readErgo,
  fio: async () => (await import('./fio.ts')).readFio,
  flow: async () => (await import('./flow.ts')).readFlow,
  graphene: async () => (await import('./graphene.ts')).readGraphene,
  icon: async () => (await import('./icon.ts')).readIcon,
  kadena: async () => (await import('./kadena.ts')).readKadena,
  mina: async () => (await import('./mina.ts')).readMina,
  nem: async () => (await import('./nem.ts')).readNem,
  neo: async () => (await import('./neo.ts')).readNeo,
  nervos: async () => (await import('./nervos.ts')).readNervos,
  nimiq: async () => (await import('./nimiq.ts')).readNimiq,
  siacoin: async () => (await import('./siacoin.ts')).readSiacoin,
  stacks: async () => (await import('./stacks.ts')).readStacks,
  waves: async () => (await import('./waves.ts')).readWaves,
};

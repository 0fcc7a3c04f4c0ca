import type { LoneFamily } from '../../networks/network.ts';
import type { ParseAddress } from '../parsed-address.ts';

/** Loaders of the parsers of families with a form of their own, as `load.ts` has for the others. */
export const LONE_LOADERS: Readonly<Record<LoneFamily, () => Promise<ParseAddress>>> = {
  alephium: async () => (await import('./utxo/alephium.ts')).parseAlephium,
  arweave: async () => (await import('./account/arweave.ts')).parseArweave,
  chia: async () => (await import('./utxo/chia.ts')).parseChia,
  conflux: async () => (await import('./evm/conflux.ts')).parseConflux,
  ergo: async () => (await import('./utxo/ergo.ts')).parseErgo,
  fio: async () => (await import('./named/fio.ts')).parseFio,
  flow: async () => (await import('./account/flow.ts')).parseFlow,
  graphene: async () => (await import('./named/graphene.ts')).parseGraphene,
  icon: async () => (await import('./evm/icon.ts')).parseIcon,
  kadena: async () => (await import('./account/kadena.ts')).parseKadena,
  mina: async () => (await import('./account/mina.ts')).parseMina,
  nem: async () => (await import('./account/nem.ts')).parseNem,
  neo: async () => (await import('./account/neo.ts')).parseNeo,
  nervos: async () => (await import('./utxo/nervos.ts')).parseNervos,
  nimiq: async () => (await import('./account/nimiq.ts')).parseNimiq,
  siacoin: async () => (await import('./utxo/siacoin.ts')).parseSiacoin,
  stacks: async () => (await import('./account/stacks.ts')).parseStacks,
  waves: async () => (await import('./account/waves.ts')).parseWaves,
};

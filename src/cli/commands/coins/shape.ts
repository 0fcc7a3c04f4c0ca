import type { Coin, CoinNetwork, NetworkOfCoin } from '../../../core/swap/swap.ts';
import { type CommandShape, list, one, READS } from '../../operations/operations.ts';
import { BOOLEAN, nullable, object, objects, TEXT, TEXT_OR_NULL, TEXTS } from '../../operations/schema.ts';

const NETWORKS = objects<CoinNetwork>({ network: TEXT, memoRequired: BOOLEAN });

export const COINS_SHAPE: CommandShape = {
  operations: {
    coins: { result: [list('coin')], exitCodes: READS },
    networks: { result: [one('networks')], exitCodes: READS },
  },
  shapes: {
    coin: object<Coin>({
      code: TEXT,
      name: TEXT,
      image: TEXT_OR_NULL,
      deposit: NETWORKS,
      receive: NETWORKS,
    }),
    networks: object({
      coin: TEXT,
      networks: objects<NetworkOfCoin>({
        network: TEXT,
        deposit: BOOLEAN,
        receive: BOOLEAN,
        memoRequired: nullable(BOOLEAN),
        aliases: TEXTS,
      }),
    }),
  },
};

import { join } from 'node:path';
import { ownerOf } from '../../../src/core/ledger/entry.ts';
import type { Credentials } from '../../../src/core/partner-api/signature.ts';
import { type Operator, openOperator } from '../../../src/sandbox/operator/operator.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { call } from '../../sandbox/sandbox.ts';
import { type Endings, endingOf } from '../../simulation/model/endings.ts';
import type { Model } from '../../simulation/model/model.ts';
import type { Account } from '../../simulation/world/service.ts';
import { PACE } from './plan.ts';

/** Base URL of the service for all processes. Nothing listens there, because every request uses the proxy. */
export const BASE_URL = 'http://127.0.0.1:9';

/** The real sandbox on a port, with a faster clock than the processes. */
export interface RealService {
  readonly url: string;
  readonly accounts: readonly [Account, Account];
  readonly operator: Operator;
  /** Advances the clock by milliseconds. */
  pass(milliseconds: number): void;
  /** Every order of the model in its current state at the service. */
  endings(model: Model): Promise<Endings>;
  close(): Promise<void>;
}

export async function startService(folder: string, seed: number): Promise<RealService> {
  const begun = Date.now();
  let passed = 0;
  const options = {
    database: join(folder, 'sandbox.db'),
    seed,
    now: () => begun + (Date.now() - begun) * PACE + passed,
    rateLimit: { count: 1_000_000, windowSeconds: 60 },
  };
  const sandbox = await startSandbox(options);
  const operator = await openOperator(options);
  const accountOf = ({ publicKey, secret }: Credentials): Account => {
    const profile = { kind: 'remote', name: 'env', environment: 'sandbox', baseUrl: BASE_URL } as const;
    return {
      credentials: { publicKey, secret },
      owner: ownerOf({ ...profile, publicKey }),
      baseUrl: BASE_URL,
    };
  };
  return {
    url: sandbox.url,
    accounts: [accountOf(sandbox.credentials), accountOf(await operator.partners.add('till'))],
    operator,
    pass: (milliseconds) => (passed += milliseconds),
    endings: async ({ orders }) => {
      const endings = new Map();
      for (const [order, { post }] of orders) {
        const place = { url: sandbox.url, credentials: post.account.credentials };
        endings.set(order, endingOf((await call(place, 'get-transaction', { id: order })).text));
      }
      return endings;
    },
    close: async () => {
      await operator.close();
      await sandbox.close();
    },
  };
}

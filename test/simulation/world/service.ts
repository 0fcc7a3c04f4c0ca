import type { ApiRequest } from '../../../src/core/client/transport.ts';
import { requestHeaders } from '../../../src/core/client/transport.ts';
import type { InMemory } from '../../../src/core/database/database.ts';
import type { Owner } from '../../../src/core/ledger/entry.ts';
import { ownerOf } from '../../../src/core/ledger/entry.ts';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { ENDPOINTS, endpointPath } from '../../../src/core/partner-api/endpoints.ts';
import type { Credentials } from '../../../src/core/partner-api/signature.ts';
import { createApp } from '../../../src/sandbox/http/app.ts';
import { rateLimiter } from '../../../src/sandbox/limits/rate-limiter.ts';
import { openCore } from '../../../src/sandbox/open.ts';
import type { Operator } from '../../../src/sandbox/operator/operator.ts';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { beginAnew } from '../stand-ins/open.ts';
import { EPOCH } from './process.ts';
import { Reused } from './reused.ts';
import type { Scheduler } from './scheduler.ts';

export const BASE_URL = 'https://swaps.example/api';

/** The answer of the service, before anything happens to it on the way. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A key pair of the service, and the profile under which operators have it. */
export interface Account {
  readonly credentials: Credentials;
  readonly owner: Owner;
  readonly baseUrl: string;
}

/** The real sandbox application, without a socket. */
export interface Service {
  /** One or two. */
  readonly accounts: readonly [Account, ...Account[]];
  readonly operator: Operator;
  /** Milliseconds since 1970 at the service. */
  now(): number;
  handle(request: ApiRequest, account?: Account): Promise<Answer>;
  close(): Promise<void>;
}

function accountOf(name: string, { publicKey, secret }: Credentials, baseUrl = BASE_URL): Account {
  const environment = baseUrl === BASE_URL ? 'sandbox' : 'live';
  const profile = { kind: 'remote', name, environment, baseUrl } as const;
  return { credentials: { publicKey, secret }, owner: ownerOf({ ...profile, publicKey }), baseUrl };
}

let kept: Reused | null = null;

/** The sandbox's database in memory, as new. */
function emptied(): InMemory {
  beginAnew();
  if (kept === null) kept = new Reused();
  else {
    kept.empty();
    kept.keeper.exec('insert into sandbox_request_counts (id, made) values (1, 0)');
  }
  return kept.memory;
}

interface ServiceOptions {
  readonly seed: number;
  readonly limit: number;
  /** A second account: another key pair or, if `areHosts`, the same one at another host, which is live. */
  readonly areTwo: boolean;
  readonly areHosts?: boolean;
}

/**
 * Opens the sandbox with a seed. `limit` is the number of requests that a key may send in a minute; `onError` is called
 * with an error of the sandbox itself.
 */
export async function openService(
  scheduler: Scheduler,
  { seed, limit, areTwo, areHosts = false }: ServiceOptions,
  onError: (line: string) => void,
): Promise<Service> {
  const database = emptied();
  const now = () => EPOCH + scheduler.now;
  const monotonic = () => scheduler.now;
  const core = await openCore({ database, seed, now, monotonic });
  const limiter = rateLimiter(core.database, { count: limit, windowSeconds: 60 }, () => Math.floor(now()));
  const operator = await openOperator({ database, now, catalogue: core.catalogue });
  const app = createApp(core, {
    limiter,
    wallClock: now,
    sleep: async () => undefined,
    openApi: async () => '',
    log: (line) => {
      if (line.startsWith('error:')) onError(line);
    },
  });
  const signed = new Map<string, Readonly<Record<string, string | undefined>>>();
  const headersOf = (endpoint: EndpointName, { credentials }: Account) => {
    const name = `${endpoint} ${credentials.publicKey}`;
    const known = signed.get(name) ?? requestHeaders({ endpoint }, credentials);
    signed.set(name, known);
    return known;
  };
  const first = accountOf('shop', core.credentials);
  const second = async () =>
    areHosts
      ? accountOf('mirror', core.credentials, 'https://mirror.example/api')
      : accountOf('till', await operator.partners.add('till'));
  const others = areTwo ? [await second()] : [];
  return {
    accounts: [first, ...others],
    operator,
    now,
    handle: async ({ endpoint, query = {}, body = '' }, account = first) => {
      const path = `${endpointPath(endpoint)}?${new URLSearchParams(query)}`;
      const headers = headersOf(endpoint, account);
      const bytes = Buffer.from(body);
      const request = { method: ENDPOINTS[endpoint].method, url: `https://swaps.example${path}` };
      // As Node's server and its adapter give them.
      const env = { incoming: { url: path, headers, iterator: () => [bytes] } };
      const response = await app.fetch(request as unknown as Request, env as never);
      const answered = response.headers as unknown as Readonly<Record<string, string>>;
      return {
        status: response.status,
        text: await response.text(),
        headers: Object.fromEntries(
          Object.entries(answered).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      };
    },
    close: async () => {
      await operator.close();
      await core.database.close();
    },
  };
}

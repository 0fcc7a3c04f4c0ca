import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../client/client.ts';
import { fetchCoinList, findPair } from '../client/coin-list.ts';
import { proxyFor } from '../client/proxy.ts';
import type { ClientOptions } from '../client/send.ts';
import { InterruptedError, UsageError } from '../errors.ts';
import { checkBaseUrl } from '../partner-api/base-url.ts';
import { proxyVariables, refuseDebugOutput } from '../settings/environment.ts';
import { checkCredentials, defaultEnvironment } from '../settings/profile.ts';
import type { CreatePorts } from '../swaps/create.ts';
import type { Ports, Service } from '../swaps/ports.ts';
import { fieldsOf, readText } from './input.ts';

const REQUEST_TIMEOUT_MS = 30_000;
/** A longer timer would fire immediately. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A service, and the ports of the use cases that need no ledger; nothing is kept from one call to the next. */
export type Connection = Pick<Service, 'client' | 'host' | 'environment'> &
  Pick<Ports, 'now' | 'monotonic' | 'service' | 'coinList' | 'pairCoins'> & {
    readonly signal: CreatePorts['signal'];
    /** Rejects with `interrupted` when the call is aborted. */
    readonly sleep: (milliseconds: number) => Promise<void>;
    /** The same service for one call with its own `signal`. Throws `usage`, or `interrupted` if that is aborted. */
    readonly forCall: (call: unknown) => Connection;
  };

/** Checks the options of a client and connects them. Throws `usage`, `invalid_config`, `insecure_url` or `no_credentials`. */
export function connect(options: unknown): Connection {
  refuseDebugOutput();
  const given = fieldsOf(options, 'options', ['baseUrl', 'publicKey', 'secret', 'timeoutMs']);
  const baseUrl = checkBaseUrl(readText(given['baseUrl'], 'baseUrl'));
  const credentials = {
    publicKey: readText(given['publicKey'], 'publicKey'),
    secret: readText(given['secret'], 'secret'),
  };
  checkCredentials(credentials.publicKey, credentials.secret);
  const settings = {
    baseUrl,
    credentials,
    proxy: proxyFor(baseUrl, proxyVariables()),
    timeoutMs: timeoutOf(given['timeoutMs']),
  };
  return connectionOf(settings, undefined);
}

function connectionOf(
  settings: Pick<ClientOptions, 'baseUrl' | 'credentials' | 'proxy' | 'timeoutMs'>,
  signal: AbortSignal | undefined,
): Connection {
  const clocks = { now: () => Date.now(), monotonic: () => performance.now() };
  const sleep = (milliseconds: number) => sleepUnlessAborted(milliseconds, signal);
  const client = createClient({
    ...settings,
    ...(signal === undefined ? {} : { signal }),
    ...clocks,
    sleep,
    random: Math.random,
  });
  const coinList = () => fetchCoinList(client, clocks.now);
  const { baseUrl, credentials, proxy = null } = settings;
  const [host, environment] = [new URL(baseUrl).host, defaultEnvironment(baseUrl)];
  const connection: Connection = {
    ...{ client, host, environment, sleep, ...clocks },
    service: async () => ({ client, host, environment, baseUrl, credentials, proxy, profile: '' }),
    signal: {
      throwIfAborted: () => {
        if (signal?.aborted === true) throw new InterruptedError('SIGINT');
      },
    },
    coinList,
    pairCoins: async (from, to) => (await findPair(client, from, to)) ?? (await coinList()).coins,
    forCall: (call = {}) => {
      fieldsOf(call, 'options', ['signal']);
      // An AbortController can also serve as the options of a call, and its signal is a getter.
      const own = signalOf(Reflect.get(Object(call), 'signal'));
      if (own?.aborted === true) throw new InterruptedError('SIGINT');
      return own === undefined ? connection : connectionOf(settings, own);
    },
  };
  return connection;
}

async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw new InterruptedError('SIGINT');
  }
}

function signalOf(value: unknown): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw new UsageError('"signal" must be an AbortSignal.');
}

function timeoutOf(value: unknown = REQUEST_TIMEOUT_MS): number {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
  throw new UsageError('"timeoutMs" must be a number of milliseconds from 1 to 2147483647.');
}

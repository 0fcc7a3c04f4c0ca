import { setTimeout as pause } from 'node:timers/promises';
import { proxyVariables, refuseDebugOutput } from '../base/environment.ts';
import { InterruptedError, UsageError } from '../base/errors.ts';
import { createClient } from '../core/client/client.ts';
import { fetchCoinList, findPair } from '../core/client/coin-list.ts';
import { type ProxyServer, proxyFor } from '../core/client/proxy.ts';
import type { ClientOptions } from '../core/client/send.ts';
import { checkBaseUrl } from '../core/partner-api/base-url.ts';
import { checkCredentials, defaultEnvironment } from '../core/partner-api/key-pair.ts';
import type { Environment } from '../core/swap/swap.ts';
import type { CreatePorts } from '../core/swaps/create.ts';
import type { Ports, Service } from '../core/swaps/ports.ts';
import { callFields, fieldsOf, readText } from './input.ts';

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

/** Checks the options of a client without a ledger and connects it. Throws as {@link readConnection} does. */
export function connect(options: unknown): Connection {
  return connectionOf(readConnection(fieldsOf(options, 'options', CONNECTION_FIELDS)));
}

/** The options of a client that say where it connects. */
export const CONNECTION_FIELDS = ['baseUrl', 'publicKey', 'secret', 'timeoutMs'];

/** Where a client connects, with its key pair. */
export interface ConnectionSettings extends Pick<ClientOptions, 'baseUrl' | 'credentials' | 'timeoutMs'> {
  readonly proxy: ProxyServer | null;
  readonly environment: Environment;
}

/** Checks the options of a client. Throws `usage`, `invalid_config`, `insecure_url` or `no_credentials`. */
export function readConnection(given: Readonly<Record<string, unknown>>): ConnectionSettings {
  refuseDebugOutput();
  const baseUrl = checkBaseUrl(readText(given['baseUrl'], 'baseUrl'));
  const credentials = {
    publicKey: readText(given['publicKey'], 'publicKey'),
    secret: readText(given['secret'], 'secret'),
  };
  checkCredentials(credentials.publicKey, credentials.secret);
  return {
    baseUrl,
    credentials,
    proxy: proxyFor(baseUrl, proxyVariables()),
    timeoutMs: timeoutOf(given['timeoutMs']),
    environment: defaultEnvironment(baseUrl),
  };
}

/** A connection whose requests and pauses end with a signal. */
export function connectionOf(settings: ConnectionSettings, signal?: AbortSignal): Connection {
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
  const { baseUrl, credentials, proxy, environment } = settings;
  const { host } = new URL(baseUrl);
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
    forCall: (call) => {
      const { signal: own } = callFields(call);
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

function timeoutOf(value: unknown = REQUEST_TIMEOUT_MS): number {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
  throw new UsageError('"timeoutMs" must be a number of milliseconds from 1 to 2147483647.');
}

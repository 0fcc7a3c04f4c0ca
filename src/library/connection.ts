import { proxyVariables, refuseDebugOutput } from '../base/environment.ts';
import { InterruptedError, restated, SwapctlError, UsageError } from '../base/errors.ts';
import { type ProxyServer, proxyFor } from '../core/client/proxy.ts';
import type { ClientOptions } from '../core/client/send.ts';
import { ownerOf } from '../core/ledger/entry.ts';
import { checkBaseUrl } from '../core/partner-api/base-url.ts';
import { checkCredentials, defaultEnvironment, ENV_PROFILE } from '../core/partner-api/key-pair.ts';
import type { Environment } from '../core/swap/swap.ts';
import type { Ports } from '../core/swaps/ports.ts';
import { callFields, readText } from './input.ts';
import {
  NO_LEDGER,
  openPartner,
  type PartnerLedger,
  REQUEST_TIMEOUT_MS,
  type Run,
  type ServiceConnection,
  sleepUntil,
} from './partner.ts';

/** A longer timer would fire immediately. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

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
  const key = (name: 'publicKey' | 'secret') => readText(given[name], name);
  const credentials = { publicKey: key('publicKey'), secret: key('secret') };
  checkCredentials(credentials.publicKey, credentials.secret);
  return {
    baseUrl,
    credentials,
    proxy: proxyFor(baseUrl, proxyVariables()),
    timeoutMs: timeoutOf(given['timeoutMs']),
    environment: defaultEnvironment(baseUrl),
  };
}

/** Runs one call of a program. Throws `usage`, or `interrupted` as soon as the signal of the call is aborted. */
export type CallRunner = <T>(call: unknown, work: (ports: Ports) => Promise<T>) => Promise<T>;

/** Runs calls at a service; nothing but the ledger is kept from one to the next. */
export function callRunner(settings: ConnectionSettings, ledger: PartnerLedger = NO_LEDGER): CallRunner {
  const { baseUrl, credentials, proxy, environment, timeoutMs } = settings;
  // As on the command line where the key pair is not of a stored profile.
  const name = ENV_PROFILE;
  const owner = ownerOf({ kind: 'remote', name, environment, baseUrl, publicKey: credentials.publicKey });
  const connection: ServiceConnection = {
    baseUrl,
    credentials,
    proxy,
    environment,
    profile: name,
    host: new URL(baseUrl).host,
    counted: owner.account,
  };
  return async (call, work) => {
    const { signal } = callFields(call);
    const end = new AbortController();
    const abort = () => end.abort(new InterruptedError('SIGINT'));
    if (signal?.aborted === true) abort();
    end.signal.throwIfAborted();
    signal?.addEventListener('abort', abort);
    const partner = openPartner({
      run: { ...runUntil(end.signal), timeoutMs },
      ledger,
      connection: async () => connection,
      owner: async () => owner,
      storedCoins: async () => null,
    });
    try {
      return await work(partner);
    } catch (error) {
      // Only a person can follow a hint that names a command or a flag.
      const isForPerson = error instanceof SwapctlError && /`swapctl |(^| )--?[a-z]/.test(error.hint ?? '');
      throw isForPerson ? restated(error, error.message, { hint: undefined }) : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
}

function runUntil(signal: AbortSignal): Omit<Run, 'timeoutMs'> {
  return {
    signal,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: Math.random,
    deadline: () => Number.POSITIVE_INFINITY,
    sleep: (milliseconds, stopped) => sleepUntil(milliseconds, signal, stopped),
    // A program gets warnings and errors instead of notices.
    notify: async () => undefined,
  };
}

function timeoutOf(value: unknown = REQUEST_TIMEOUT_MS): number {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
  throw new UsageError('"timeoutMs" must be a number of milliseconds from 1 to 2147483647.');
}

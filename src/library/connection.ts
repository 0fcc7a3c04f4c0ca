import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../client/client.ts';
import { fetchCoinList, findPair } from '../client/coin-list.ts';
import { proxyFor } from '../client/proxy.ts';
import { UsageError } from '../errors.ts';
import { proxyVariables, refuseDebugOutput } from '../settings/environment.ts';
import { checkBaseUrl, checkCredentials, defaultEnvironment } from '../settings/profile.ts';
import type { Ports, Service } from '../swaps/ports.ts';
import { fieldsOf, readText } from './input.ts';

const REQUEST_TIMEOUT_MS = 30_000;
/** A timer set for longer would go off at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A service, and the ports of the use cases that need no ledger; nothing is kept from one call to the next. */
export type Connection = Pick<Service, 'client' | 'host' | 'environment'> &
  Pick<Ports, 'now' | 'monotonic' | 'coinList' | 'pairCoins'>;

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
  const clocks = { now: () => Date.now(), monotonic: () => performance.now() };
  const client = createClient({
    baseUrl,
    credentials,
    proxy: proxyFor(baseUrl, proxyVariables()),
    timeoutMs: timeoutOf(given['timeoutMs']),
    ...clocks,
    sleep: (milliseconds) => pause(milliseconds),
    random: Math.random,
  });
  const coinList = () => fetchCoinList(client, clocks.now);
  return {
    client,
    host: new URL(baseUrl).host,
    environment: defaultEnvironment(baseUrl),
    ...clocks,
    coinList,
    pairCoins: async (from, to) => (await findPair(client, from, to)) ?? (await coinList()).coins,
  };
}

function timeoutOf(value: unknown = REQUEST_TIMEOUT_MS): number {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
  throw new UsageError('"timeoutMs" must be a number of milliseconds from 1 to 2147483647.');
}

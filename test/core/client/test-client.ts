import { inspect } from 'node:util';
import { expect } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { type Client, createClient } from '../../../src/core/client/client.ts';
import type { ClientOptions } from '../../../src/core/client/send.ts';
import type { ApiAnswer, ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { ENDPOINT_NAMES } from '../../../src/core/partner-api/endpoints.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';

/** The key pair of every client here. */
export const CREDENTIALS = { publicKey: 'pk-of-the-client-tests', secret: 'sk-never-to-be-shown' };

/** The moment at which the clock of every client here stands. */
export const NOW = Date.parse('2026-01-31T12:00:00Z');

/** A client that sleeps no real time, and what it would have slept, in milliseconds. */
export interface TestClient extends Client {
  readonly sleeps: readonly number[];
}

/** A client of a base URL. Chance always gives a half. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): TestClient {
  const sleeps: number[] = [];
  const client = createClient({
    baseUrl,
    credentials: CREDENTIALS,
    timeoutMs: 5000,
    now: () => NOW,
    sleep: async (milliseconds) => void sleeps.push(milliseconds),
    random: () => 0.5,
    ...options,
  });
  return { ...client, sleeps };
}

/** An answer of the service, or what is thrown instead. */
export type Reply = Partial<ApiAnswer> | Error;

/** A client of a service that replies with these, the last one again and again; and what it was sent. */
export function clientOfReplies(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const sent: ApiRequest[] = [];
  const transport: Transport = async (request) => {
    const reply = replies[Math.min(sent.push(request), replies.length) - 1] ?? {};
    if (reply instanceof Error) throw reply;
    return { status: 200, text: '{}', retryAfter: null, headers: {}, ...reply };
  };
  return { client: clientOf('https://swap.example', { transport, ...options }), sent };
}

/** The error of a call that has to fail; it is searched for everything that must not be on it. */
export async function failureOf(call: Promise<unknown>): Promise<SwapctlError> {
  const error = await call.then(
    (value) => expect.fail(`no error, but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SwapctlError);
  expectNoSecret(error);
  return error as SwapctlError;
}

/** Walks everything that hangs on an error: properties hidden and symbolic, prototypes, causes, the stack. */
export function expectNoSecret(error: unknown, secret = CREDENTIALS.secret): void {
  const words = [
    inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true }),
    ...reachable(error).map(String),
  ].join('\n');
  const signatures = ENDPOINT_NAMES.map((name) => sign(name, secret));
  for (const hidden of [secret, ...signatures, 'x-api-signature', 'x-api-public-key', CREDENTIALS.publicKey])
    expect(words.toLowerCase()).not.toContain(hidden.toLowerCase());
}

function reachable(root: unknown): readonly unknown[] {
  const seen = new Set<unknown>();
  const queue = [root];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    if (seen.has(item)) continue;
    seen.add(item);
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Reflect.ownKeys(item)) queue.push(key, Reflect.get(item, key));
  }
  return [...seen].filter((item) => typeof item !== 'object' || item instanceof Error);
}

/** A quote of 0.1 BTC in ETH. */
export const QUOTE = {
  from: { coin: 'BTC', network: null },
  to: { coin: 'ETH', network: null },
  amount: '0.1',
  lastSource: 'deposit',
  type: 'float',
} as const;

/** An answer of exchange-coin. */
export const QUOTE_ANSWER =
  '{"pair":"BTC_ETH","amount":0.1,"exchangeRate":25,"receive":2.5,"minAmount":0.001,"maxAmount":10}';

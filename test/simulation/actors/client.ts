import { type Client, createClient } from '../../../src/core/client/client.ts';
import type { ClientOptions } from '../../../src/core/client/send.ts';
import type { ApiAnswer, ApiRequest } from '../../../src/core/client/transport.ts';
import type { Ports, Service } from '../../../src/core/swaps/ports.ts';
import type { Program } from '../world/world.ts';

/** Time limit of one request, in milliseconds. */
export const TIMEOUT_MS = 30_000;

/** The client of a program, with the transport of its requests and perhaps a deadline. */
export function clientFor(
  { now, monotonic, sleep, random, signal }: Pick<Ports, 'now' | 'monotonic' | 'sleep' | 'random' | 'signal'>,
  { baseUrl, credentials }: Pick<Service, 'baseUrl' | 'credentials'>,
  options: Pick<ClientOptions, 'transport' | 'deadline'>,
): Client {
  return createClient({
    baseUrl,
    credentials,
    signal,
    now,
    monotonic,
    sleep,
    random,
    timeoutMs: TIMEOUT_MS,
    ...options,
  });
}

/** The answer of the service itself to a request of a program. */
export async function answerOf({ process, world }: Program, request: ApiRequest): Promise<ApiAnswer> {
  const { status, text, headers } = await world.service.handle(request, process.account);
  return { status, text, headers, retryAfter: headers['retry-after'] ?? null };
}

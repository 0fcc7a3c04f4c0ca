import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { requestHeaders, requestUrl, type Transport } from '../../src/core/client/transport.ts';
import { TransportError } from '../../src/core/client/transport-error.ts';
import { ENDPOINTS } from '../../src/core/partner-api/endpoints.ts';
import type { Credentials } from '../../src/core/partner-api/signature.ts';
import { type Habits, NO_HABITS } from '../../src/sandbox/habits/decisions.ts';
import { createApp } from '../../src/sandbox/http/app.ts';
import { servedDocument } from '../../src/sandbox/http/openapi/openapi.ts';
import type { AppEnv } from '../../src/sandbox/http/request-state.ts';
import { rateLimiter } from '../../src/sandbox/limits/rate-limiter.ts';
import { openCore } from '../../src/sandbox/open.ts';
import { type PassedAnswer, passedHeaders } from '../helpers/tampering-proxy.ts';
import { freshFile } from '../sandbox/sandbox.ts';
import type { Alteration, RequestChange } from './altering-server.ts';

/** The URL that the app reports; nothing listens there. */
export const APP_URL = 'http://localhost';

const SOCKET = new Socket();

/** The HTTP app of the sandbox without a socket, on its own database. */
export interface SandboxApp {
  readonly app: Hono<AppEnv>;
  readonly credentials: Credentials;
  close(): Promise<void>;
}

/** Opens the HTTP app of the sandbox, with a rate limit that is never reached. */
export async function sandboxApp(habits: Habits = NO_HABITS): Promise<SandboxApp> {
  const database = freshFile();
  const core = await openCore({ database, habits, now: Date.now, monotonic: () => performance.now() });
  const limiter = rateLimiter(core.database, { count: 1_000_000, windowSeconds: 60 }, Date.now);
  const app = createApp(core, {
    limiter,
    wallClock: Date.now,
    sleep: async () => undefined,
    openApi: () => servedDocument(core, APP_URL),
  });
  return { app, credentials: core.credentials, close: () => core.database.close() };
}

/**
 * A transport to the app that changes requests and responses, like the altering server but in a tenth of the time.
 */
export function alteringTransport(
  { app, credentials }: SandboxApp,
  alter: Alteration,
  change: RequestChange = (seen) => seen,
): Transport {
  return async (request) => {
    const { pathname, search } = requestUrl(APP_URL, request);
    const seen = {
      method: ENDPOINTS[request.endpoint].method,
      url: `${pathname}${search}`,
      headers: passedHeaders(requestHeaders(request, credentials)),
      body: request.body ?? '',
    };
    const answer = alter(await answerOf(app, change(seen)), seen);
    if (answer === 'nothing') throw new TransportError('broken', true);
    const { status, text, headers } = answer;
    return { status, text, headers, retryAfter: headers['retry-after'] ?? null };
  };
}

async function answerOf(
  app: Hono<AppEnv>,
  { method, url, headers, body }: ReturnType<RequestChange>,
): Promise<PassedAnswer> {
  const incoming = Object.assign(new IncomingMessage(SOCKET), { method, url, headers });
  incoming.push(body);
  incoming.push(null);
  const env: HttpBindings = { incoming, outgoing: new ServerResponse(incoming) };
  const request = new Request(new URL(url, APP_URL), {
    method,
    headers: passedHeaders(headers),
    ...(method === 'GET' ? {} : { body }),
  });
  const response = await app.fetch(request, env);
  return {
    status: response.status,
    headers: passedHeaders(Object.fromEntries(response.headers)),
    text: await response.text(),
  };
}

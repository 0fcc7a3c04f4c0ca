import { type ErrorHandler, Hono } from 'hono';
import { rfc3339 } from '../../base/time.ts';
import { AUTH_HEADERS, ENDPOINT_NAMES, ENDPOINTS, endpointPath } from '../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { beginningOf, type SeenRequest } from '../requests/request.ts';
import { OK_STATUS } from '../state/assumptions.ts';
import type { Core } from './core.ts';
import { authenticate, exactPath, limitRate, readBody } from './middleware/checks.ts';
import { inOneState, tickClock } from './middleware/one-state.ts';
import { dropCreateResponses, handle, injectFaults } from './middleware/respond.ts';
import type { AppEnv, Step } from './request-state.ts';
import { ApiError, answerError, jsonResponse } from './responses.ts';

/** What {@link createApp} needs besides the core: limiter, clock, sleep, callbacks and the OpenAPI document. */
export interface AppTools {
  readonly limiter: RateLimiter;
  readonly wallClock: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log?: ((line: string) => void) | undefined;
  /** Called with each request after it was handled. */
  readonly note?: ((request: SeenRequest) => void) | undefined;
  /** The OpenAPI document of the service as text. */
  readonly openApi: () => Promise<string>;
}

/**
 * Builds the partner API without a socket: the six endpoints, each with all its checks in the order of
 * docs/partner-api.md#order-of-the-checks.
 */
export function createApp(core: Core, tools: AppTools): Hono<AppEnv> {
  const { limiter, wallClock, sleep, log, note, openApi } = tools;
  const app = new Hono<AppEnv>();
  const limit = limitRate(limiter, core.decisions);
  const faulted = injectFaults(core, sleep);
  const tick = tickClock(core);
  if (log !== undefined) app.use(logRequests(log, wallClock));
  if (note !== undefined) app.use(recordRequests(note, wallClock));
  const onError: ErrorHandler<AppEnv> = (error, context) =>
    answerError(error, context, (unexpected) => log?.(`error: ${String(unexpected)}`));
  for (const endpoint of ENDPOINT_NAMES) {
    app.on(
      ENDPOINTS[endpoint].method,
      endpointPath(endpoint),
      exactPath(endpoint),
      readBody,
      inOneState(
        endpoint,
        core.shared,
        [
          tick,
          authenticate,
          faulted,
          limit,
          ...(core.dropsCreateResponses && endpoint === 'create-transaction' ? [dropCreateResponses()] : []),
          handle(endpoint, core),
        ],
        onError,
      ),
    );
  }
  app.get('/openapi.json', async () => jsonResponse(OK_STATUS, await openApi()));
  app.notFound((context) => answerError(new ApiError(404, MESSAGES.NOT_FOUND), context, () => undefined));
  app.onError(onError);
  return app;
}

/**
 * Logs one line for each request: time, partner, method, endpoint, status, milliseconds. Never logs queries, headers or
 * unknown paths: they hold addresses, keys and signatures.
 */
function logRequests(log: (line: string) => void, now: () => number): Step {
  return async function logRequest(context, next) {
    const started = now();
    await next();
    const { endpoint = '-', partner, fault } = context.get('progress') ?? {};
    const took = Math.max(0, now() - started);
    const who = partner?.name ?? '-';
    const outcome = fault === undefined ? String(context.res.status) : `fault-${fault}`;
    log(`${rfc3339(started)} ${who} ${context.req.method} ${endpoint} ${outcome} ${took}ms`);
  };
}

/** Headers whose values must not appear anywhere in the log. */
const CREDENTIAL_HEADERS = [AUTH_HEADERS.publicKey, AUTH_HEADERS.signature, 'authorization', 'cookie'];

/** Passes each request with its response to `note`, after it was handled. */
function recordRequests(note: (request: SeenRequest) => void, now: () => number): Step {
  return async function recordRequest(context, next) {
    const at = now();
    await next();
    const { endpoint = null, partner, fault = null } = context.get('progress') ?? {};
    const body: Uint8Array | undefined = context.get('body');
    const answer: string | null | undefined = context.get('answer');
    const { headers, url = '' } = context.env.incoming;
    const { outgoing } = context.env;
    note({
      at,
      partner: partner?.name ?? null,
      method: context.req.method,
      endpoint,
      url,
      body: body === undefined ? null : beginningOf(Buffer.from(body).toString('utf8')),
      // What went over the wire; null if a fault cut the connection first.
      status: outgoing.headersSent ? outgoing.statusCode : answer === null ? null : context.res.status,
      answer: answer === undefined || answer === null ? null : beginningOf(answer),
      ms: Math.max(0, now() - at),
      fault,
      credentials: CREDENTIAL_HEADERS.flatMap((name) => headers[name] ?? []),
    });
  };
}

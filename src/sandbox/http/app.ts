import { type ErrorHandler, Hono } from 'hono';
import { ENDPOINT_NAMES, ENDPOINTS, endpointPath } from '../../partner-api/endpoints.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { SeenRequest } from '../requests/request.ts';
import { OK_STATUS } from '../state/assumptions.ts';
import { ApiError } from './api-error.ts';
import type { Core } from './core.ts';
import { authenticate, exactPath, limitRate, readBody } from './middleware/checks.ts';
import { logRequests, recordRequests } from './middleware/log.ts';
import { inOneState, tickClock } from './middleware/one-state.ts';
import { handle, injectFaults, loseCreates } from './middleware/respond.ts';
import type { AppEnv, Step } from './request-state.ts';
import { answerError, jsonResponse } from './responses.ts';

/** Tools that the app needs besides the core. */
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
  const body = readBody(core.decisions);
  const authenticated = authenticate(core.decisions);
  const faulted = injectFaults(core, sleep);
  const tick = tickClock(core);
  const watched: readonly Step[] = [
    ...(log === undefined ? [] : [logRequests(log, wallClock)]),
    ...(note === undefined ? [] : [recordRequests(note, wallClock)]),
  ];
  for (const step of watched) app.use(step);
  const onError: ErrorHandler<AppEnv> = (error, context) =>
    answerError(error, context, (unexpected) => log?.(`error: ${String(unexpected)}`));
  for (const endpoint of ENDPOINT_NAMES) {
    app.on(
      ENDPOINTS[endpoint].method,
      endpointPath(endpoint),
      exactPath(endpoint),
      body,
      inOneState(
        endpoint,
        core.shared,
        [
          tick,
          authenticated,
          faulted,
          limit,
          ...(core.losesCreates && endpoint === 'create-transaction' ? [loseCreates()] : []),
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

import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { EndpointName } from '../partner-api/endpoints.ts';
import type { Partner, Snapshot } from './shared-state.ts';

/** What the middleware of the partner API hand on to each other. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    endpoint: EndpointName;
    snapshot: Snapshot;
    partner: Partner;
    /** Text of the body, empty for a GET. */
    body: string;
    /** Headers of the rate limit, once it was asked. */
    limitHeaders: Readonly<Record<string, string>>;
  };
}

/** Context of a request to the partner API. */
export type AppContext = Context<AppEnv>;

/** A step that a request to the partner API goes through. */
export type Step = MiddlewareHandler<AppEnv>;

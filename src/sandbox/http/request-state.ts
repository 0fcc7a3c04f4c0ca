import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { EndpointName } from '../../core/partner-api/endpoints.ts';
import type { Partner } from '../state/partners.ts';
import type { StateReading } from '../state/shared-state.ts';

/** Facts about a request so far; each step adds to them. */
interface Progress {
  readonly endpoint: EndpointName;
  readonly reading: StateReading;
  partner?: Partner;
  /** Id of the fault rule that fired. */
  fault?: number;
  /** Headers of the rate limit, once it was checked. */
  rateHeaders?: Readonly<Record<string, string>>;
  /** Set once the state in the reading was replaced. */
  isReplaced?: true;
}

/** Hono environment of the partner API: what its steps share. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Missing where a request matches no endpoint, or failed before the first step. */
    progress: Progress;
    /** The raw body; a GET has none. */
    body: Uint8Array;
    /** The body of the answer, for the request log; null if the connection was cut without one. */
    answer: string | null;
  };
}

/** Context of a request to the partner API. */
export type AppContext = Context<AppEnv>;

/** A step that a request to the partner API goes through. */
export type Step = MiddlewareHandler<AppEnv>;

/** The partner of a request that was authenticated. Throws TypeError for any other request. */
export function partnerOf({ partner }: Progress): Partner {
  if (partner === undefined) throw new TypeError('The request was not authenticated.');
  return partner;
}

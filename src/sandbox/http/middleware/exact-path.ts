import type { EndpointName } from '../../../partner-api/endpoints.ts';
import { endpointPath } from '../../../partner-api/endpoints.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import { ApiError } from '../api-error.ts';
import type { Step } from '../request-state.ts';

const SCHEME_AND_HOST = /^https?:\/\/[^/?#]*/i;

/**
 * Passes requests whose path is the endpoint's, letter for letter. A URL library resolves `..`, `%2e` and `%2d`, so
 * without this check such paths would be answered, and a client that writes them would never learn of it.
 */
export function exactPath(endpoint: EndpointName): Step {
  const path = endpointPath(endpoint);
  const isExact = (target: string) =>
    target.startsWith(path) && (target.length === path.length || target[path.length] === '?');
  return function checkExactPath(context, next) {
    const { url = '' } = context.env.incoming;
    if (isExact(url) || isExact(url.replace(SCHEME_AND_HOST, ''))) return next();
    throw new ApiError(404, MESSAGES.NOT_FOUND);
  };
}

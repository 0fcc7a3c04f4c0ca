import type { EndpointName } from '../../../partner-api/endpoints.ts';
import type { SharedState } from '../../state/shared-state.ts';
import type { Step } from '../request-state.ts';

/** Notes which endpoint is called and how things stand; the whole request is answered as of this moment. */
export function takeSnapshot(endpoint: EndpointName, shared: SharedState): Step {
  return async (context, next) => {
    context.set('progress', { endpoint, snapshot: await shared.read() });
    await next();
  };
}

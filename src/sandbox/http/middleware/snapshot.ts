import type { EndpointName } from '../../../partner-api/endpoints.ts';
import type { SharedState } from '../../state/shared-state.ts';
import type { Step } from '../request-state.ts';

/** Records the endpoint and a snapshot of the shared state, on which the whole request is answered. */
export function takeSnapshot(endpoint: EndpointName, shared: SharedState): Step {
  return async function readSnapshot(context, next) {
    context.set('progress', { endpoint, snapshot: await shared.read() });
    await next();
  };
}

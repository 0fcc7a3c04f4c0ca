import type { EndpointName } from '../../partner-api/endpoints.ts';
import type { Handler } from '../endpoints/handlers.ts';
import { HANDLERS } from '../endpoints/handlers.ts';
import type { Core } from '../http/core.ts';
import { readValues } from '../http/read-values.ts';
import type { Step } from '../http/request-state.ts';
import { partnerOf } from '../http/request-state.ts';
import { jsonResponse } from '../http/responses.ts';
import { writeAnswer } from '../http/write-json.ts';

/** Checks the parameters of a request and lets its endpoint's handler answer it. */
export function handle(endpoint: EndpointName, core: Core): Step {
  let handler: Handler | undefined;
  return async (context) => {
    const values = readValues(endpoint, context);
    handler ??= await HANDLERS[endpoint]();
    const progress = context.get('progress');
    const { snapshot, limitHeaders } = progress;
    const { status, body } = await handler(core, { partner: partnerOf(progress), snapshot, values });
    return jsonResponse(status, writeAnswer(body), limitHeaders);
  };
}

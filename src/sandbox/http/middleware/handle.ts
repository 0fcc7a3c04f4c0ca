import type { EndpointName } from '../../../partner-api/endpoints.ts';
import type { Core } from '../core.ts';
import type { Handler } from '../endpoints/handlers.ts';
import { HANDLERS } from '../endpoints/handlers.ts';
import { readValues } from '../read-values.ts';
import type { Step } from '../request-state.ts';
import { partnerOf } from '../request-state.ts';
import { jsonResponse } from '../responses.ts';
import { writeAnswer } from '../write-json.ts';

/** Checks the parameters of a request and lets its endpoint's handler answer it. */
export function handle(endpoint: EndpointName, core: Core): Step {
  let handler: Handler | undefined;
  return async function handleRequest(context) {
    const values = readValues(endpoint, context, core.decisions);
    handler ??= await HANDLERS[endpoint]();
    const progress = context.get('progress');
    const { snapshot, limitHeaders } = progress;
    const answer = await handler(core, { partner: partnerOf(progress), snapshot, values });
    const { status, body } = core.decisions.success(endpoint, answer);
    const text = writeAnswer(body);
    context.set('answer', text);
    return jsonResponse(status, text, limitHeaders);
  };
}

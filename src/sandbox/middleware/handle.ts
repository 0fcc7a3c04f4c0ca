import type { EndpointName } from '../../partner-api/endpoints.ts';
import { ENDPOINTS } from '../../partner-api/endpoints.ts';
import { isJsonObject, parseJson } from '../../partner-api/json.ts';
import { jsonResponse } from '../answer.ts';
import { ValidationError } from '../api-error.ts';
import type { AppContext, Step } from '../app-env.ts';
import { partnerOf } from '../app-env.ts';
import type { Core } from '../core.ts';
import type { Handler } from '../endpoints/handlers.ts';
import { HANDLERS } from '../endpoints/handlers.ts';
import { writeAnswer } from '../fast-json.ts';
import { ENDPOINT_FIELDS } from '../fields.ts';
import { type Values, validate } from '../validate.ts';

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

function readValues(endpoint: EndpointName, context: AppContext): Values {
  const fields = ENDPOINT_FIELDS[endpoint];
  if (ENDPOINTS[endpoint].method === 'GET') return validate(fields, queryReader(context.req.url), 'query');
  const body = parsedBody(context.get('body'));
  return validate(fields, (name) => (Object.hasOwn(body, name) ? body[name] : undefined), 'body');
}

function queryReader(url: string): (name: string) => unknown {
  const start = url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  return (name) => {
    const given = query.getAll(name);
    return given.length > 1 ? given : given[0];
  };
}

function parsedBody(text: string): Readonly<Record<string, unknown>> {
  let body: unknown = {};
  try {
    if (text !== '') body = parseKeepingDigits(text);
  } catch {
    throw new ValidationError(['body must be valid JSON']);
  }
  if (isJsonObject(body)) return body;
  throw new ValidationError(['body must be a JSON object']);
}

/** Most bodies come back unchanged from the quick parser, and then it lost no digit; the others go the slow way. */
function parseKeepingDigits(text: string): unknown {
  const quick: unknown = JSON.parse(text);
  return JSON.stringify(quick) === text ? quick : parseJson(text);
}

import { ENDPOINTS, type EndpointName } from '../../partner-api/endpoints.ts';
import { isJsonObject, parseJson, refuseDeepNesting } from '../../partner-api/json.ts';
import type { Decisions } from '../habits/decisions.ts';
import { ValidationError } from './api-error.ts';
import type { AppContext } from './request-state.ts';
import { type Values, validate } from './validate.ts';

const BEYOND_ASCII = /%[89a-f]/i;
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;
// Strips a byte order mark, as other JSON parsers do.
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the parameters of a request and checks them against the fields of its endpoint. Throws ValidationError. */
export function readValues(
  endpoint: EndpointName,
  context: AppContext,
  { fields: all, validationTexts: texts }: Pick<Decisions, 'fields' | 'validationTexts'>,
): Values {
  const fields = all[endpoint];
  if (ENDPOINTS[endpoint].method === 'GET')
    return validate(fields, queryReader(context.env.incoming.url ?? ''), { source: 'query', texts });
  const body = parsedBody(textOf(context.get('body')));
  return validate(fields, (name) => (Object.hasOwn(body, name) ? body[name] : undefined), {
    source: 'body',
    texts,
  });
}

function queryReader(url: string): (name: string) => unknown {
  const start = url.indexOf('?');
  const text = start < 0 ? '' : url.slice(start + 1);
  if (BEYOND_ASCII.test(text) && !isUtf8(text)) throw new ValidationError(['query must be valid UTF-8']);
  const query = new URLSearchParams(text);
  return (name) => {
    const given = query.getAll(name);
    return given.length > 1 ? given : given[0];
  };
}

/** Whether the percent-encoded bytes of a query are UTF-8; Node refuses bytes that a URL must not contain. */
function isUtf8(query: string): boolean {
  try {
    decodeURIComponent(query.replace(LONE_PERCENT, '%25'));
    return true;
  } catch {
    return false;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ValidationError(['body must be valid UTF-8']);
  }
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

/**
 * Parses JSON without losing a digit. If writing the value again gives the same text, the fast parser lost none, as
 * with most bodies; the others take the slow parser.
 */
function parseKeepingDigits(text: string): unknown {
  refuseDeepNesting(text);
  const quick: unknown = JSON.parse(text);
  return JSON.stringify(quick) === text ? quick : parseJson(text);
}

import { UsageError } from '../../errors.ts';
import { ENDPOINT_NAMES, isEndpointName } from '../../partner-api/endpoints.ts';
import { bodyBytes } from '../http/body-bytes.ts';
import { type RequestFilter, statusRange } from '../requests/request.ts';

const MAX_BODY_BYTES = 2_000_000;

type Body = Readonly<Record<string, unknown>>;

/**
 * The JSON object of a request. Throws UsageError for a name that is not in `known`: it is probably a typing error, and
 * guessing what was meant is dangerous.
 */
export async function bodyOf(request: Request, known?: readonly string[]): Promise<Body> {
  const tooLarge = () => new UsageError('The body is too large.');
  const text = (await bodyBytes(request.body, MAX_BODY_BYTES, tooLarge)).toString('utf8');
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new UsageError('The body must be valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError('The body must be a JSON object.');
  const unknownName =
    known === undefined ? undefined : Object.keys(body).find((name) => !known.includes(name));
  if (unknownName !== undefined)
    throw new UsageError(`Unknown field "${unknownName}"; use ${known?.join(', ')}.`);
  return body as Body;
}

/** An amount or a name. Throws UsageError for what is no text. */
export function requireText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new UsageError('Amounts and names must be strings.');
}

/** A whole number from 1, undefined where it is not given. Throws UsageError. */
export function optionalId(text: string | undefined): number | undefined {
  return text === undefined ? undefined : idOf(text);
}

/** Which requests a query asks for. Throws UsageError. */
export function requestFilter(query: Readonly<Record<string, string>>): RequestFilter {
  const { endpoint, partner, status, after, limit, addresses } = query;
  if (endpoint !== undefined && !isEndpointName(endpoint))
    throw new UsageError(`The endpoint must be one of: ${ENDPOINT_NAMES.join(', ')}.`);
  const range = status === undefined ? undefined : statusRange(status);
  if (range === null) throw new UsageError('Use a status from 100 to 599, or a class such as 4xx.');
  if (addresses !== undefined && addresses !== 'hidden')
    throw new UsageError('"addresses" must be hidden or omitted.');
  return {
    endpoint,
    partner,
    status: range,
    after: after === '0' ? 0 : optionalId(after),
    limit: optionalId(limit),
    hidesAddresses: addresses === 'hidden',
  };
}

/** A whole number from 1. Throws UsageError. */
export function idOf(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number.parseInt(text, 10);
  throw new UsageError('A limit or id must be a whole number from 1.');
}

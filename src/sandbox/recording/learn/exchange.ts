import { gunzipSync } from 'node:zlib';
import type { EndpointName } from '../../../partner-api/endpoints.ts';
import { ENDPOINTS, isEndpointName, PATH_PREFIX } from '../../../partner-api/endpoints.ts';
import type { JsonObject, JsonValue } from '../../../partner-api/json.ts';
import { isJsonNumber, isJsonObject, tryParseJson } from '../../../partner-api/json.ts';
import type { Decimal } from '../../../swap/amount.ts';
import { plainDecimal } from '../../../swap/amount.ts';

const MAX_UNPACKED = 16 * 1024 * 1024;

/** One call of an endpoint and its answer, as a HAR file tells of it. */
export interface Exchange {
  /** Base URL: what stands before the endpoint's path. */
  readonly service: string;
  readonly endpoint: EndpointName;
  /** Parameters: of the query, or of the body with numbers as text. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly bodyBytes: number;
  readonly status: number;
  readonly ok: boolean;
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** Undefined where the answer is not JSON. */
  readonly json: JsonValue | undefined;
  /** The answer where it is an object, else an empty one. */
  readonly body: JsonObject;
}

/** Reads an entry of a parsed HAR file; null where it is no answered call of an endpoint. */
export function exchangeOf(entry: unknown): Exchange | null {
  const [url, status] = [inside(entry, 'request.url'), inside(entry, 'response.status')];
  if (typeof url !== 'string' || typeof status !== 'number' || !(status >= 100 && status <= 599)) return null;
  const [path = ''] = url.split(/[?#]/, 1);
  const start = path.lastIndexOf(PATH_PREFIX);
  const endpoint = start < 0 ? '' : path.slice(start + PATH_PREFIX.length);
  if (!isEndpointName(endpoint) || inside(entry, 'request.method') !== ENDPOINTS[endpoint].method)
    return null;
  const posted = inside(entry, 'request.postData.text');
  const sent = typeof posted === 'string' ? posted : '';
  const text = contentOf(inside(entry, 'response.content'));
  const json = tryParseJson(text);
  return {
    service: path.slice(0, start),
    endpoint,
    parameters: ENDPOINTS[endpoint].method === 'GET' ? queryOf(url) : membersOf(tryParseJson(sent)),
    bodyBytes: Buffer.byteLength(sent),
    status,
    ok: status >= 200 && status < 300,
    headers: headersOf(inside(entry, 'response.headers')),
    ...{ text, json, body: isJsonObject(json) ? json : {} },
  };
}

/** Text of an answer; some browsers keep it in base64, some proxies still compressed. */
function contentOf(content: unknown): string {
  const text = inside(content, 'text');
  if (typeof text !== 'string') return '';
  if (inside(content, 'encoding') !== 'base64') return text;
  const bytes = Buffer.from(text, 'base64');
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return (isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }) : bytes).toString('utf8');
  } catch {
    return '';
  }
}

function queryOf(url: string): ReadonlyMap<string, string> {
  const [, query = ''] = url.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  return new Map(new URLSearchParams(query));
}

function membersOf(body: JsonValue | undefined): ReadonlyMap<string, string> {
  if (!isJsonObject(body)) return new Map();
  return new Map(
    Object.entries(body).flatMap(([name, value]) => {
      const text = numberText(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function headersOf(value: unknown): ReadonlyMap<string, string> {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    list.flatMap((item) => {
      const [name, text] = [inside(item, 'name'), inside(item, 'value')];
      return typeof name === 'string' && typeof text === 'string'
        ? [[name.toLowerCase(), text] as const]
        : [];
    }),
  );
}

function numberText(value: JsonValue | undefined): string | undefined {
  return isJsonNumber(value) ? value.value : typeof value === 'string' ? value : undefined;
}

/** A member inside of what `JSON.parse` gave. */
export function inside(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** A nested member of an answer, by a path such as `pairs.deposit.address`. */
export function memberAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return inside(value, path) as JsonValue | undefined;
}

/** A nested text that is not empty, else undefined. */
export function textAt(value: JsonValue | undefined, path: string): string | undefined {
  const member = memberAt(value, path);
  return typeof member === 'string' && member !== '' ? member : undefined;
}

/** A nested number with all its digits, given as a JSON number or as text; undefined where there is none. */
export function decimalAt(value: JsonValue | undefined, path: string): Decimal | undefined {
  return plainDecimal(numberText(memberAt(value, path)) ?? '');
}

/** A nested list. */
export function listAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  const member = memberAt(value, path);
  return Array.isArray(member) ? member : [];
}

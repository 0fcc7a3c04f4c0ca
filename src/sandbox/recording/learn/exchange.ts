import { gunzipSync } from 'node:zlib';
import { ENDPOINTS, isEndpointName, PATH_PREFIX } from '../../../partner-api/endpoints.ts';
import { isJsonObject, type JsonValue, tryParseJson } from '../../../partner-api/json.ts';
import { digitsOf, memberAt } from '../../../partner-api/json-path.ts';

const MAX_UNPACKED = 16 * 1024 * 1024;

/** One call of an endpoint and its answer, as a HAR file records it. */
export type Exchange = NonNullable<ReturnType<typeof exchangeOf>>;

/** Reads an entry of a parsed HAR file; null if it is not a call of an endpoint with a response. */
export function exchangeOf(entry: unknown) {
  const [url, status] = [
    memberAt<unknown>(entry, 'request.url'),
    memberAt<unknown>(entry, 'response.status'),
  ];
  if (typeof url !== 'string' || typeof status !== 'number' || !(status >= 100 && status <= 599)) return null;
  const [path = ''] = url.split(/[?#]/, 1);
  const start = path.lastIndexOf(PATH_PREFIX);
  const endpoint = start < 0 ? '' : path.slice(start + PATH_PREFIX.length);
  if (!isEndpointName(endpoint) || memberAt<unknown>(entry, 'request.method') !== ENDPOINTS[endpoint].method)
    return null;
  const posted = memberAt<unknown>(entry, 'request.postData.text');
  const sent = typeof posted === 'string' ? posted : '';
  const text = contentOf(memberAt<unknown>(entry, 'response.content'));
  const json = tryParseJson(text);
  return {
    service: path.slice(0, start),
    endpoint,
    /** Of the query, or of the body with numbers as text. */
    parameters: ENDPOINTS[endpoint].method === 'GET' ? queryOf(url) : membersOf(tryParseJson(sent)),
    bodyBytes: Buffer.byteLength(sent),
    status,
    ok: status >= 200 && status < 300,
    /** By lower-case names. */
    headers: headersOf(memberAt<unknown>(entry, 'response.headers')),
    text,
    /** Undefined if the answer is not JSON. */
    json,
  };
}

/** Text of an answer; some browsers keep it in base64, some proxies still compressed. */
function contentOf(content: unknown): string {
  const text = memberAt<unknown>(content, 'text');
  if (typeof text !== 'string') return '';
  if (memberAt<unknown>(content, 'encoding') !== 'base64') return text;
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
      const text = digitsOf(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function headersOf(value: unknown): ReadonlyMap<string, string> {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    list.flatMap((item) => {
      const [name, text] = [memberAt<unknown>(item, 'name'), memberAt<unknown>(item, 'value')];
      return typeof name === 'string' && typeof text === 'string'
        ? [[name.toLowerCase(), text] as const]
        : [];
    }),
  );
}

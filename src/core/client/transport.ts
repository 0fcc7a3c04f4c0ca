import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { got, type Request, type Response } from 'got';
import { ENDPOINTS, type EndpointName, endpointPath } from '../partner-api/endpoints.ts';
import { createRedactor } from '../partner-api/redaction.ts';
import { authHeaders, type Credentials } from '../partner-api/signature.ts';
import { type Agents, type ProxyServer, proxyAgents, singleUseAgents } from './proxy.ts';
import { TransportError } from './transport-error.ts';

/** Largest answer read, in bytes after decompression. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const CONNECT_TIMEOUT_MS = 10_000;

/** Maximum of a timer, 24 days; with a longer one Node fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Target, credentials and time limit of requests. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Time limit of one whole request, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The proxy to use; null or absent for none. */
  readonly proxy?: ProxyServer | null;
}

/** Methods that a request can have; the API uses the first three. */
export const HTTP_METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** One request: a GET takes `query`, the others a JSON `body`. */
export interface ApiRequest {
  readonly endpoint: EndpointName;
  /** Default: the endpoint's own. */
  readonly method?: HttpMethod;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /** Gives the request up, in place of {@link TransportOptions.signal}. */
  readonly signal?: AbortSignal | undefined;
  /** Number of times it has been sent, this one included; absent means once. */
  readonly attempt?: number;
  /** Headers that replace the usual ones, undefined to omit one: for checks of how the service refuses them. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** An answer of the service, whatever its status. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  /** Headers as received; they may contain the credentials. */
  readonly headers: IncomingHttpHeaders;
}

/** Sends one signed request once. Throws {@link TransportError} if there is no complete answer. */
export type Transport = (request: ApiRequest) => Promise<ApiAnswer>;

/** The URL of a request, under the path of the base URL. */
export function requestUrl(baseUrl: string, request: Pick<ApiRequest, 'endpoint' | 'query'>): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${endpointPath(request.endpoint)}`;
  url.search = new URLSearchParams(request.query ?? {}).toString();
  return url;
}

export const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' } as const;

/** The headers of a request, signed with the key pair; its own headers override these. */
export function requestHeaders(
  { endpoint, headers }: Pick<ApiRequest, 'endpoint' | 'headers'>,
  credentials: Credentials,
): Readonly<Record<string, string | undefined>> {
  return {
    ...JSON_HEADERS,
    'user-agent': 'swapctl',
    ...authHeaders(endpoint, credentials),
    ...headers,
  };
}

/**
 * A transport over got 14. Redirects are not followed, because got would send the credentials along; got's own retries
 * are off, because only the client knows what may be repeated. Credentials that a server sends back are redacted.
 */
export function createTransport(options: TransportOptions): Transport {
  const redact = createRedactor(options.credentials);
  const connect = connectionsThrough(options.proxy ?? null);
  return async (request) => {
    const method = request.method ?? ENDPOINTS[request.endpoint].method;
    // A change never reuses a connection: a reset of a stale one would leave its outcome unknown.
    const { agent, end } = connect(method !== 'GET');
    const stream = got.stream(requestUrl(options.baseUrl, request), {
      method,
      headers: requestHeaders(request, options.credentials),
      body: request.body,
      agent,
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: {
        lookup: CONNECT_TIMEOUT_MS,
        connect: CONNECT_TIMEOUT_MS,
        secureConnect: CONNECT_TIMEOUT_MS,
      },
      signal: request.signal ?? options.signal,
    });
    const timeoutMs = Math.min(request.timeoutMs ?? options.timeoutMs, MAX_TIMER_MS);
    try {
      const answer = await receiveAnswer(stream, timeoutMs);
      return { ...answer, text: redact(answer.text, answer.status >= 400) };
    } finally {
      end();
    }
  };
}

/** Chooses the agents of each request, none for Node's own, and what is called at its end; `singleUse`: a new connection. */
function connectionsThrough(proxy: ProxyServer | null) {
  let kept: Agents | undefined;
  let users = 0;
  return (singleUse: boolean) => {
    if (singleUse) {
      const { agents, hangUp } = singleUseAgents(proxy, CONNECT_TIMEOUT_MS);
      return { agent: agents, end: hangUp };
    }
    if (proxy === null) return { agent: {}, end: () => undefined };
    kept ??= proxyAgents(proxy, true, CONNECT_TIMEOUT_MS);
    const { agents, hangUp } = kept;
    users += 1;
    return { agent: agents, end: () => void (--users === 0 && hangUp()) };
  };
}

/** Receives a whole answer in time, or throws {@link TransportError}. got's own limit ends on a protocol switch. */
export async function receiveAnswer(stream: Request, timeoutMs: number): Promise<ApiAnswer> {
  let sent = false;
  let status: number | null = null;
  let response: Response | undefined;
  let ended: TransportError | undefined;
  const end = (failure: TransportError) => {
    ended ??= failure;
    stream.destroy(ended);
  };
  const timer = setTimeout(() => end(new TransportError('timeout', sent, 'ETIMEDOUT', status)), timeoutMs);
  stream.on('upgrade', ({ statusCode }: IncomingMessage, socket: Socket) => {
    socket.destroy();
    end(new TransportError('switched', true, null, statusCode ?? null));
  });
  stream.on('request', (request) => {
    // got's own `response` event comes too late if the body fails immediately.
    request.once('response', ({ statusCode }: IncomingMessage) => (status = statusCode ?? null));
    request.once('socket', (socket: Socket) => {
      const ready = 'encrypted' in socket ? 'secureConnect' : 'connect';
      // Through a proxy the socket is connected from the start, and the handshake still under way.
      const finished = 'getFinished' in socket ? socket.getFinished : null;
      const isShaking = typeof finished === 'function' && finished.call(socket) === undefined;
      if (socket.connecting || isShaking) socket.once(ready, () => (sent = true));
      else sent = true;
    });
  });
  stream.on('response', (received: Response) => (response = received));
  try {
    const text = await readText(stream);
    if (response === undefined) throw new TransportError('broken', sent);
    const { statusCode, headers } = response;
    return { status: statusCode, text, retryAfter: headers['retry-after'] ?? null, headers };
  } catch (error) {
    throw ended ?? TransportError.from(error, sent, status);
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

async function readText(stream: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) throw new TransportError('too-large', true);
    chunks.push(bytes);
  }
  // Unlike Buffer.toString this skips a byte order mark, which JSON.parse would refuse.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

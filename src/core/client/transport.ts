import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { ENDPOINTS, type EndpointName, endpointPath } from '../partner-api/endpoints.ts';
import { createRedactor } from '../partner-api/redaction.ts';
import { authHeaders, type Credentials } from '../partner-api/signature.ts';
import { type Agents, type ProxyServer, proxyAgents, singleUseAgents } from './proxy.ts';
import { type RequestParts, startRequest } from './start-request.ts';
import { TransportError, type TransportErrorKind } from './transport-error.ts';

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
 * A transport over Node's own client: got, over the same one, took half a millisecond more for each request. Redirects
 * are not followed, since the credentials would go along, and nothing is repeated: only the client knows what may be.
 * Credentials that a server sends back are redacted.
 */
export function createTransport(options: TransportOptions): Transport {
  const redact = createRedactor(options.credentials);
  const connect = connectionsThrough(options.proxy ?? null);
  return async (request) => {
    const method = request.method ?? ENDPOINTS[request.endpoint].method;
    // A change never reuses a connection: a reset of a stale one would leave its outcome unknown.
    const { agent, end } = connect(method !== 'GET');
    try {
      const answer = await new Exchange({
        url: requestUrl(options.baseUrl, request),
        ...{ method, agent, body: request.body },
        headers: { ...requestHeaders(request, options.credentials), 'accept-encoding': 'gzip, deflate, br' },
        timeoutMs: Math.min(request.timeoutMs ?? options.timeoutMs, MAX_TIMER_MS),
        signal: request.signal ?? options.signal,
      }).answer();
      return { ...answer, text: redact(answer.text, answer.status >= 400) };
    } finally {
      end();
    }
  };
}

/** Agents of one request, none for Node's own, and a function to call at its end. */
interface Connection {
  readonly agent: Partial<Agents['agents']>;
  end(): void;
}

/** Chooses the agents of each request, direct or through the proxy; `singleUse` for a new connection. */
function connectionsThrough(proxy: ProxyServer | null): (singleUse: boolean) => Connection {
  let kept: Agents | undefined;
  let users = 0;
  return (singleUse) => {
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

interface ExchangeOptions extends RequestParts {
  /** Time limit of the whole exchange. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One request under way, until its whole answer has arrived. */
class Exchange {
  readonly #options: ExchangeOptions;
  #request: ClientRequest | undefined;
  #sent = false;
  #status: number | null = null;
  #ended: TransportError | undefined;
  #giveUp: (error: TransportError) => void = () => undefined;
  #connecting: NodeJS.Timeout | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Sends the request and receives its answer. Throws {@link TransportError}. */
  async answer(): Promise<ApiAnswer> {
    const { timeoutMs, signal } = this.#options;
    const timer = setTimeout(() => this.#end('timeout', 'ETIMEDOUT'), timeoutMs);
    const stop = () => this.#end('interrupted', 'ABORT_ERR');
    signal?.addEventListener('abort', stop);
    try {
      if (signal?.aborted === true) stop();
      if (this.#ended !== undefined) throw this.#ended;
      const response = await this.#response();
      const { statusCode = 0, headers } = response;
      this.#status = statusCode;
      const text = await readText(decompressed(response));
      return { status: statusCode, text, retryAfter: headers['retry-after'] ?? null, headers };
    } catch (error) {
      throw this.#ended ?? TransportError.from(error, this.#sent, this.#status);
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#connecting);
      signal?.removeEventListener('abort', stop);
      // A connection whose answer was read to its end is kept all the same.
      this.#request?.destroy();
    }
  }

  #response(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      // A request that has no connection yet reports no error when it is destroyed.
      this.#giveUp = reject;
      this.#request = startRequest(this.#options)
        .once('response', resolve)
        // Stays attached: an unhandled error event would end the process.
        .on('error', reject)
        .once('socket', (socket: Socket) => this.#watch(socket))
        .once('upgrade', ({ statusCode }: IncomingMessage, socket: Socket) => {
          socket.destroy();
          this.#status = statusCode ?? null;
          reject(new TransportError('switched', true));
        });
    });
  }

  /** Gives the lookup of the name, the connection and the handshake a time limit each. */
  #watch(socket: Socket): void {
    const wait = () => {
      clearTimeout(this.#connecting);
      this.#connecting = setTimeout(() => this.#end('timeout', 'ETIMEDOUT'), CONNECT_TIMEOUT_MS);
    };
    const ready = () => {
      clearTimeout(this.#connecting);
      this.#sent = true;
    };
    // Through a proxy the socket is connected from the start, and the handshake still under way.
    const finished = 'getFinished' in socket ? socket.getFinished : null;
    const isShaking = typeof finished === 'function' && finished.call(socket) === undefined;
    this.#sent = !socket.connecting && !isShaking;
    if (this.#sent) return;
    wait();
    const isSecure = 'encrypted' in socket;
    socket
      .once('lookup', wait)
      .once('connect', isSecure ? wait : ready)
      .once('secureConnect', ready);
  }

  #end(kind: TransportErrorKind, code: string | null): void {
    this.#ended ??= new TransportError(kind, this.#sent, code, this.#status);
    this.#giveUp(this.#ended);
    this.#request?.destroy(this.#ended);
  }
}

/** The body of an answer as it was before it was compressed. */
function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding)) return response;
  const unzip = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  return pipeline(response, unzip, () => undefined);
}

async function readText(stream: Readable): Promise<string> {
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

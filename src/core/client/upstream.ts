import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { type ProxyServer, singleUseAgents } from './proxy.ts';
import { TransportError } from './transport-error.ts';

/** Maximum size of an answer that is kept for the recording; a longer one is still forwarded. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

const CONNECT_TIMEOUT_MS = 10_000;

export interface Upstream {
  readonly baseUrl: string;
  readonly proxy: ProxyServer | null;
  /** Maximum wait for the next byte of an answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** A request of a client, with its whole body. */
export interface OwnRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** An answer as it was forwarded. */
export interface PassedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly Header[];
  /** The bytes as received, compressed or not; null if there were too many to keep. */
  readonly body: Buffer | null;
  readonly size: number;
}

/**
 * Forwards a request and streams its answer back: the same method, path, query, headers and bytes, once, over a new
 * connection, including redirects. If the answer is incomplete, the client's connection is cut as well; `answer` is then
 * what was received before the failure.
 */
export async function passOn(request: OwnRequest, response: ServerResponse, upstream: Upstream) {
  const { agents, hangUp } = singleUseAgents(upstream.proxy, CONNECT_TIMEOUT_MS);
  const agent = upstream.baseUrl.startsWith('https:') ? agents.https : agents.http;
  const sending = new Sending(request, upstream, agent);
  const leave = () => sending.give(new TransportError('interrupted', true));
  response.once('close', leave);
  try {
    return { answer: await sending.answerTo(response), failure: null };
  } catch (error) {
    response.off('close', leave);
    response.destroy();
    const failure =
      sending.failed ?? TransportError.from(error, sending.sent, sending.answer?.status ?? null);
    return { failure, answer: sending.answer };
  } finally {
    response.off('close', leave);
    hangUp();
  }
}

class Sending {
  readonly #request: ClientRequest;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  sent = false;
  failed: TransportError | undefined;
  answer: PassedAnswer | null = null;

  constructor(own: OwnRequest, { baseUrl, timeoutMs }: Upstream, agent: Agent) {
    const url = new URL(baseUrl);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = [['Host', url.host], ...endToEnd(own.headers, 'host', 'content-length', 'expect')];
    if (own.body.length > 0 || own.headers.some(([name]) => name.toLowerCase() === 'content-length'))
      headers.push(['Content-Length', String(own.body.length)]);
    this.#timeoutMs = timeoutMs;
    this.#request = send({
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? undefined : Number.parseInt(url.port, 10),
      method: own.method,
      path: `${url.pathname.replace(/\/+$/, '')}${own.target}`,
      headers: headers.flat(),
      agent,
    });
    this.#request.on('socket', (socket: Socket) => this.#watch(socket));
    this.#request.on('upgrade', ({ statusCode }: IncomingMessage, socket: Socket) => {
      socket.destroy();
      this.give(new TransportError('switched', true, null, statusCode ?? null));
    });
    this.#wait(Math.min(CONNECT_TIMEOUT_MS, timeoutMs));
    this.#request.end(own.body);
  }

  /** Aborts the request. */
  give(failure: TransportError): void {
    this.failed ??= failure;
    this.#request.destroy(failure);
  }

  /** Forwards the answer. Throws if it is incomplete. */
  async answerTo(response: ServerResponse): Promise<PassedAnswer> {
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        this.#request.once('response', resolve).once('error', reject);
      });
      // A connection that breaks during the answer is reported by the answer's own error.
      this.#request.on('error', () => undefined);
      return await this.#passBack(incoming, response);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  async #passBack(incoming: IncomingMessage, response: ServerResponse): Promise<PassedAnswer> {
    const headers = headerPairs(incoming.rawHeaders);
    const [status, statusText] = [incoming.statusCode ?? 0, incoming.statusMessage ?? ''];
    const kept: Buffer[] = [];
    let size = 0;
    const soFar = (): PassedAnswer => ({
      status,
      statusText,
      headers,
      size,
      body: size > MAX_KEPT_BYTES ? null : Buffer.concat(kept),
    });
    this.answer = soFar();
    response.sendDate = false;
    response.writeHead(status, statusText, endToEnd(headers).flat());
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      this.#wait(this.#timeoutMs);
      size += chunk.length;
      if (size <= MAX_KEPT_BYTES) kept.push(chunk);
      else kept.length = 0;
      if (!response.write(chunk)) await drained(response);
      this.answer = soFar();
    }
    if (!incoming.complete) throw new TransportError('broken', true);
    this.answer = soFar();
    await new Promise<void>((resolve) => response.end(resolve));
    return this.answer;
  }

  #watch(socket: Socket): void {
    const ready = () => {
      this.sent = true;
      this.#wait(this.#timeoutMs);
    };
    if ('encrypted' in socket) socket.once('secureConnect', ready);
    else if (socket.connecting) socket.once('connect', ready);
    else ready();
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    const late = () => this.give(new TransportError('timeout', this.sent, 'ETIMEDOUT'));
    this.#timer = setTimeout(late, milliseconds);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

/** Headers of a single connection, which are not forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A header as sent: its name in the sender's spelling, and its value. */
type Header = readonly [name: string, value: string];

/** Node's flat list of headers as pairs. */
export function headerPairs(raw: readonly string[]): Header[] {
  const at = (index: number) => raw[index] ?? '';
  return Array.from({ length: raw.length >> 1 }, (_, index) => [at(index * 2), at(index * 2 + 1)]);
}

/** The headers to forward: all but those of this connection, and those that `Connection` lists. */
function endToEnd(headers: readonly Header[], ...without: readonly string[]): Header[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  const dropped = new Set([...named, ...without]);
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !dropped.has(lower);
  });
}

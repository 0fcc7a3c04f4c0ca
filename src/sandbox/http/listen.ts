import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import { drain } from '../../core/partner-api/loopback.ts';
import { MAX_HEADER_BYTES } from '../state/assumptions.ts';
import { type RequestListener, serveInTurn } from './connections.ts';
import { readConnectionsInTurn } from './read-in-turn.ts';

/** Time limits of a connection in milliseconds. */
export interface TimeLimits {
  /** For all headers. */
  readonly headers: number;
  /** For headers and body. */
  readonly request: number;
  /** For a client to read an answer. */
  readonly write: number;
  /** Interval at which the three limits are checked. */
  readonly check: number;
  /** Time that running requests get once the server closes. */
  readonly drain: number;
}

const DEFAULT_LIMITS: TimeLimits = {
  headers: 10_000,
  request: 20_000,
  write: 20_000,
  check: 1000,
  drain: 7000,
};
const MAX_READ_MS = 1000;

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly limits?: Partial<TimeLimits> | undefined;
}

export interface ListeningServer {
  readonly url: string;
  /** The address behind the host. */
  readonly address: string;
  /** Takes no new requests, lets those under way finish, then closes. */
  close(): Promise<void>;
}

/**
 * Listens for HTTP requests, with limits on size and time. Anything that is not a valid request also gets its answer in
 * JSON.
 */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<ListeningServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const address = await addressToListenOn(options.host);
  const connections = serveInTurn(listener, limits.write, limits.check);
  const server = makeServer(
    (request, response) => {
      const status = refusalOf(request);
      if (status === null) connections.take(request, response);
      else answerAlone(response, status);
    },
    options,
    limits,
  );
  server.on('close', () => connections.close());
  server.on('clientError', answerClientError);
  server.on('connect', (_request, socket) => refuseConnection(socket, 400));
  server.on('checkExpectation', (_request, response) => answerAlone(response, 417));
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      connections.close();
      reject(error);
    };
    server.once('error', fail);
    server.listen(options.port, address, () => {
      server.off('error', fail);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    address,
    close: () => {
      connections.drain();
      return drain(server, limits.drain);
    },
  };
}

/** Maximum number of header lines; Node would drop those after a thousand without a word. */
const MAX_HEADER_LINES = 990;

/** The status for a request that no application sees; null for one that it does. */
function refusalOf(request: IncomingMessage): number | null {
  if (request.rawHeaders.length > 2 * MAX_HEADER_LINES) return 431;
  if (!hasOneHost(request)) return 400;
  const coding = request.headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? null : 501;
}

/** Whether a request has no more than one Host header: of two, programs on its way may each believe another. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts <= 1;
}

/** Answers a request that no application sees. */
function answerAlone(response: ServerResponse, status: number): void {
  const body = bodyText(status);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
  response.writeHead(status, headers).end(body);
}

function makeServer(listener: RequestListener, { tls }: ListenOptions, limits: TimeLimits): Server {
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    requireHostHeader: false,
  };
  const server = tls === undefined ? createServer(settings, listener) : tlsServer(settings, tls, listener);
  server.maxHeadersCount = 0;
  readConnectionsInTurn(server, tls === undefined ? 'connection' : 'secureConnection');
  return server;
}

function tlsServer(
  settings: ServerOptions,
  tls: { readonly cert: string; readonly key: string },
  listener: RequestListener,
): Server {
  try {
    // OpenSSL accepts a certificate and a key of two kinds, and then fails every handshake.
    const isPair = new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key));
    if (isPair) return createTlsServer({ ...settings, ...tls }, listener) as unknown as Server;
  } catch {
    // OpenSSL's own message may quote the key.
  }
  throw new UsageError('The TLS certificate and key do not match, or one of them is not a PEM file.');
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW') refuseConnection(socket, 431);
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseConnection(socket, 408);
  else refuseConnection(socket, 400);
}

/**
 * Answers on a connection without a valid request, and ends it. The client may still be sending, so the rest is read
 * and dropped.
 */
function refuseConnection(socket: Duplex, status: number): void {
  const body = bodyText(status);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  (socket as Socket).resume();
  setTimeout(() => socket.destroy(), MAX_READ_MS).unref();
}

function bodyText(status: number): string {
  return JSON.stringify({ statusCode: status, message: STATUS_CODES[status] });
}

/** Texts that the system would read as an address although they are not written in full: `0`, `127.1`, `0x7f000001`. */
const SHORTENED = /^(?:[0-9.]+|0x[0-9a-f.x]*)$/i;

/** Resolves a host to its address. Throws UsageError for a host that is empty, shortened or unknown. */
async function addressToListenOn(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  if (host.trim() === '' || SHORTENED.test(host))
    throw new UsageError(
      host.trim() === '' ? 'The host to listen on is empty.' : `Incomplete host ${echoed(host)}.`,
      'Use a full address: 127.0.0.1 for this machine only, 0.0.0.0 for all its networks.',
    );
  const { lookup } = await import('node:dns/promises');
  try {
    return (await lookup(host)).address;
  } catch {
    throw new UsageError(
      `The host ${echoed(host)} cannot be found.`,
      'Pass an address of this machine with --host.',
    );
  }
}

import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import type { GotOptions } from '../stand-ins/got.ts';
import type { Home } from '../world/machine/home.ts';
import type { Call, Scene } from '../world/machine/scene.ts';
import type { Program } from '../world/world.ts';
import { answerOf } from './client.ts';

/** A request that left swapctl. */
export interface Sent {
  readonly endpoint: EndpointName;
  /** With any certificate, or in clear text to another machine. */
  readonly isExposed: boolean;
}

/** A proxy that opens no connection. */
export async function startProxy(does: NonNullable<Scene['proxy']>) {
  const server = createServer();
  server.on('connect', (_, socket: Socket) => {
    if (does === 'hangs up') socket.destroy();
    else socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return listen(server);
}

/** A service that answers every request in the same way. */
export function startService({ headers, body }: NonNullable<Scene['service']>, { filled }: Home) {
  return listen(createServer((_, response) => void response.writeHead(200, headers).end(filled(body))));
}

async function listen(server: Server) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

/** Sends requests, one after the other, each over a connection of its own. */
export async function callAll(url: string, calls: readonly Call[], { filled }: Home): Promise<void> {
  for (const { path, headers, body } of calls) {
    const method = body === undefined ? 'GET' : 'POST';
    const sending = request(`${url}${filled(path)}`, { method, headers, agent: false }).end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  }
}

/** The agents of hpagent; the types of Node do not have what opens a connection. */
interface ProxyAgent {
  readonly proxy?: URL;
  readonly options: { readonly rejectUnauthorized?: boolean };
  createConnection(options: object, callback: (error: Error | null) => void): void;
}

/** The way of requests to the service. */
interface Line {
  readonly sent: Sent[];
  /** Its proxy opens no connection for a create. */
  readonly isBroken: boolean;
  /** Happens in place of the answer to a create. */
  readonly onCreate: (() => void) | null;
  readonly isAnswered: boolean;
  readonly says: (text: string) => string;
}

/** The stream that got returns for a request: the service answers it, unless the line is broken. */
export function streamOf(program: Program, line: Line, options: GotOptions, url: URL) {
  const { sent, isBroken, onCreate, isAnswered, says } = line;
  const stream = new PassThrough();
  const endpoint = url.pathname.split('/').at(-1) as EndpointName;
  const isSecure = url.protocol === 'https:';
  const agent = options.agent?.[isSecure ? 'https' : 'http'] as ProxyAgent | undefined;
  const isExposed = agent?.options.rejectUnauthorized === false || (!isSecure && agent?.proxy !== undefined);
  const query = Object.fromEntries(url.searchParams);
  const abort = () => stream.destroy(Object.assign(new Error('It is aborted.'), { name: 'AbortError' }));
  options.signal?.addEventListener('abort', abort);
  stream.once('close', () => options.signal?.removeEventListener('abort', abort));
  const answer = async () => {
    sent.push({ endpoint, isExposed });
    const { status, text, headers } = await answerOf(program, { endpoint, query, body: options.body ?? '' });
    if (isAnswered && endpoint === 'create-transaction') onCreate?.();
    if (endpoint !== 'create-transaction' || onCreate === null || isAnswered) {
      stream.emit('response', { statusCode: status, headers });
      return void stream.end(endpoint.startsWith('get-') ? says(text) : text);
    }
    const unanswered = new EventEmitter();
    stream.emit('request', unanswered);
    unanswered.emit('socket', new EventEmitter());
    onCreate();
  };
  if (!isBroken || endpoint !== 'create-transaction') void answer();
  else
    agent?.createConnection({ host: url.hostname, port: 443 }, (error) =>
      error === null ? void answer() : void stream.destroy(error),
    );
  return stream;
}

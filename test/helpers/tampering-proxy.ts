import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type EndpointName, PATH_PREFIX } from '../../src/core/partner-api/endpoints.ts';
import type { SeenRequest } from './raw-server.ts';

/** An answer on its way back. */
export interface PassedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Makes another answer of the one that the service gave, or the bytes to send instead, after which it hangs up. */
export type Tamper = (answer: PassedAnswer) => PassedAnswer | { readonly bytes: string };

/** A proxy between the client and a real service: as its base URL, or as its HTTP proxy at the end of a tunnel. */
export interface TamperingProxy {
  readonly url: string;
  /** Host and port of each tunnel that was asked for. */
  readonly tunnels: readonly string[];
  /** How many requests to an endpoint were passed on to the service. */
  count(endpoint: EndpointName): number;
  /** Tampers with an endpoint's answers from now on; null leaves them as they are. */
  tamper(endpoint: EndpointName, rule: Tamper | null): void;
  /** Leaves all answers as they are from now on. */
  leaveAll(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback that passes every request on to a service once. */
export async function tamperingProxy(service: string): Promise<TamperingProxy> {
  const rules = new Map<string, Tamper>();
  const [passed, tunnels]: [string[], string[]] = [[], []];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(request.url ?? '/', service);
    const endpoint = pathname.slice(PATH_PREFIX.length);
    const { method = '', headers } = request;
    const seen = { method, url: `${pathname}${search}`, headers, body: await bodyOf(request) };
    passed.push(endpoint);
    const answer = await passOn(service, seen);
    const changed = rules.get(endpoint)?.(answer) ?? answer;
    if ('bytes' in changed) response.socket?.end(changed.bytes);
    else response.writeHead(changed.status, { ...changed.headers }).end(changed.text);
  };
  // A service that is gone is a connection that breaks.
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const open = new Set<Socket>();
  server.on('connect', (request, socket: Socket) => {
    open.add(socket.on('error', () => undefined));
    tunnels.push(request.url ?? '');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    // Whatever host the tunnel is meant for, what comes through it is answered here.
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    count: (endpoint) => passed.filter((name) => name === endpoint).length,
    tamper: (endpoint, rule) => {
      if (rule === null) rules.delete(endpoint);
      else rules.set(endpoint, rule);
    },
    leaveAll: () => rules.clear(),
    close: async () => {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  return body;
}

/** Sends a request to a service and reads its answer whole. */
export async function passOn(
  service: string,
  { method, url, headers, body }: SeenRequest,
): Promise<PassedAnswer> {
  const response = await fetch(new URL(url, service), {
    method,
    headers: passedHeaders(headers),
    ...(method === 'GET' ? {} : { body }),
  });
  return {
    status: response.status,
    headers: passedHeaders(Object.fromEntries(response.headers)),
    text: await response.text(),
  };
}

/** The headers of a request or an answer that are passed on. */
export function passedHeaders(headers: SeenRequest['headers']): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name, value]) =>
      value !== undefined && /^(x-api-|content-type$|accept$|ratelimit-|retry-after)/.test(name),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}

// biome-ignore lint/suspicious/noExplicitAny: tampering changes whatever it likes.
type Body = any;

/** Tampers with the JSON body of an answer. */
export function rewriting(change: (body: Body) => unknown): Tamper {
  return (answer) => {
    const body: Body = JSON.parse(answer.text);
    change(body);
    return { ...answer, text: JSON.stringify(body) };
  };
}

/** An answer as it goes over the wire, for tampering with its bytes. */
export function wireBytes({ status, headers, text }: PassedAnswer, more: readonly string[] = []): string {
  const length = Buffer.byteLength(text);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} As it was`, ...lines, ...more, `Content-Length: ${length}`, '', text].join(
    '\r\n',
  );
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { stopServer } from './stop-server.ts';

/** A request as it came in. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that does what the test says, for answers that no sandbox gives. */
export interface RawServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Answers one request; `seen` has its body. */
export type Answering = (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => void;

const running: Server[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await stop(server);
});

/** Starts a raw server on loopback; it is stopped after the test. */
export async function rawServer(answer: Answering): Promise<RawServer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      answer(seen, response, request);
    });
  };
  const server = createServer(listener);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await stopServer(server);
}

/** Ends a response with JSON text. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Answers with an error of the API, whatever is asked. */
export const refusing =
  (status: number, message: unknown) =>
  (_seen: unknown, response: ServerResponse): void =>
    sendJson(response, status, { statusCode: status, message });

/** The environment of a profile at a base URL. */
export function profileEnv(
  baseUrl: string,
  { publicKey, secret } = { publicKey: 'public-key', secret: 'the-secret' },
): Record<string, string> {
  return { SWAPCTL_BASE_URL: baseUrl, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import { type EndpointName, PATH_PREFIX } from '../../../src/core/partner-api/endpoints.ts';
import { passOn } from '../../helpers/tampering-proxy.ts';
import type { Model } from '../../simulation/model/model.ts';
import type { Committed } from '../../simulation/world/committed.ts';
import type { Faults } from '../../simulation/world/faults.ts';
import { otherRequest } from '../../simulation/world/lies.ts';
import type { Answer } from '../../simulation/world/service.ts';
import { WayBack } from '../../simulation/world/way-back.ts';
import type { RealProcess } from './process.ts';

/** Requests that take a token from the budget in programs that obey it. */
const COUNTED: ReadonlySet<string> = new Set(['exchange-coin', 'get-transaction', 'create-transaction']);

/** The dependencies of the proxy. */
interface ProxyParts {
  readonly service: string;
  readonly faults: Faults;
  readonly model: Model;
  readonly committed: Committed;
  processOf(name: string): RealProcess | undefined;
  /** Shows committed changes to the model, which checks its invariants. */
  step(): Promise<void>;
  tell(words: string): void;
}

/** The proxy between real processes and the service. */
export interface Tunnel {
  /** Value of http_proxy for a process, which identifies its requests. */
  urlFor(process: string): string;
  close(): Promise<void>;
}

/** Starts the proxy for all requests, which delays, loses, repeats, cuts and changes them. */
export async function startProxy(parts: ProxyParts): Promise<Tunnel> {
  const wayBack = new WayBack({ ...parts, disk: parts.committed });
  const senders = new WeakMap<object, string>();
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    const process = parts.processOf(senders.get(request.socket) ?? '');
    if (process === undefined) return void response.destroy();
    carry(parts, wayBack, process, request, response).catch((error: unknown) => {
      parts.model.fail('soak', error instanceof Error ? (error.stack ?? error.message) : String(error));
      response.destroy();
    });
  });
  server.on('connect', (request, socket: Socket) => {
    const [, login = ''] = request.headers['proxy-authorization']?.split(' ') ?? [];
    const [name = ''] = Buffer.from(login, 'base64').toString().split(':');
    senders.set(socket, name);
    open.add(socket.on('error', () => undefined));
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (process) => `http://${encodeURIComponent(process)}:any@127.0.0.1:${port}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function carry(
  { service, faults, model, step, tell }: ProxyParts,
  wayBack: WayBack,
  process: RealProcess,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { name } = process;
  let body = '';
  for await (const part of incoming.setEncoding('utf8')) body += part;
  const { method = '', headers } = incoming;
  const url = new URL(incoming.url ?? '/', service);
  const endpoint = url.pathname.slice(PATH_PREFIX.length) as EndpointName;
  const query = Object.fromEntries(url.searchParams);
  const request: ApiRequest = { endpoint, query, ...(body === '' ? {} : { body }) };
  const latency = () => pause(faults.random.between(1, 40));

  if (process.isBudgeted && COUNTED.has(endpoint)) model.spends(process);
  const sent = model.sent(process, request);
  tell(`${name} sends ${endpoint} ${body || (query['id'] ?? '')}`);
  await step();
  if (faults.strikes('killed', name)) process.kill();
  const drop = async () => {
    sent.lost();
    tell(`${name} gets no answer to ${endpoint}`);
    await pause(faults.random.between(10, 3_000));
    response.destroy();
  };
  await latency();
  if (faults.strikes('request-lost', name)) return drop();
  if (faults.strikes('slow', name)) await pause(faults.random.between(500, 3_000));

  const changes = endpoint === 'create-transaction' || endpoint === 'update-refund-address';
  const carried =
    changes && faults.strikes('request-tampered', name) ? otherRequest(request, faults.random) : request;
  const deliver = async (): Promise<Answer> => {
    const answer = await passOn(service, {
      method,
      headers,
      body: carried.body ?? '',
      url: `${url.pathname}${url.search}`,
    });
    model.delivered(process, sent.post, answer);
    return answer;
  };
  const answer = await deliver();
  if (faults.strikes('request-repeated', name))
    void latency()
      .then(deliver)
      .catch(() => undefined);
  if (faults.strikes('killed', name)) process.kill();
  const back = wayBack.pass(process, request, answer, carried === request);
  if (back === null || 'kind' in back) return drop();
  // Recorded before the response is sent, because the process may write it to the ledger immediately.
  sent.answered(back);
  tell(`${name} gets ${back.status} to ${endpoint} ${/"orderNumber":"([^"]*)"/.exec(back.text)?.[1] ?? ''}`);
  await latency();
  response.writeHead(back.status, { 'content-type': 'application/json', ...back.headers }).end(back.text);
}

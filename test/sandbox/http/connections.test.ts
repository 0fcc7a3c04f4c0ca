import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConnectionsInTurn } from '../../../src/sandbox/http/read-in-turn.ts';
import { rawEnd, rawRequest, rawSocket, sendRaw } from '../raw.ts';
import { call, heldSleep, NEW_SWAP, sandboxForTest } from '../sandbox.ts';

const LIMITS = { headers: 10_000, request: 10_000, write: 300, check: 50, drain: 2000 };

/** The request with its connection kept open. */
const kept = (text: string): string => text.replace('connection: close', 'connection: keep-alive');

describe('a client that pipelines requests on one connection', () => {
  it('gets the responses in order', async () => {
    const sandbox = await sandboxForTest({ limits: LIMITS });
    const one = (limit: number) => rawRequest(sandbox, 'get-all-coins', `?method=1&limit=${limit}`);
    const { text } = await sendRaw(sandbox.url, kept(one(1)) + kept(one(2)) + kept(one(3)) + one(4));
    const bodies = text.split(/HTTP\/1\.1 200 OK/).slice(1);
    const counts = bodies.map((each) => JSON.parse(each.slice(each.indexOf('{'))).depositCoins.length);
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  it('creates each order once', async () => {
    const sandbox = await sandboxForTest({ limits: LIMITS });
    const create = rawRequest(sandbox, 'create-transaction', '', JSON.stringify(NEW_SWAP));
    const { text } = await sendRaw(sandbox.url, kept(create).repeat(20) + create);
    expect(text.match(/HTTP\/1\.1 201 /g)).toHaveLength(21);
    expect(await sandbox.operator.orders.list()).toHaveLength(21);
  });

  it('without reading responses is disconnected and does not delay other clients', async () => {
    let answered = 0;
    const sandbox = await sandboxForTest({ limits: LIMITS, log: () => (answered += 1) });
    const request = kept(rawRequest(sandbox, 'get-all-coins', '?method=1&limit=100'));
    const sockets = Array.from({ length: 10 }, () => {
      const socket = rawSocket(sandbox.url).pause();
      // Bytes that the server does not read stay in this process.
      socket.write(request.repeat(2000));
      return socket;
    });
    while (answered < sockets.length) await pause(10);
    const earlier = answered;
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(200);
    expect(answered - earlier).toBeLessThan(200);
    // The kernel buffers some responses for each client; once it is full, the time limit for writing begins.
    for (let before = 0; before < answered; await pause(2 * LIMITS.write)) before = answered;
    const ends = await Promise.all(sockets.map((socket) => rawEnd(socket.resume())));
    // Each client sent two thousand requests.
    const answers = ends.map(({ text }) => text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0);
    expect(Math.max(...answers)).toBeLessThan(1000);
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(200);
  });
});

it('a client that pipelines unsigned requests and disconnects does not delay other clients', async () => {
  const sandbox = await sandboxForTest({ limits: LIMITS });
  for (let times = 0; times < 10; times += 1) {
    const socket = rawSocket(sandbox.url);
    socket.write('GET /api/private/get-all-coins HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2000));
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += String(chunk).match(/HTTP\/1\.1 403/g)?.length ?? 0;
      if (answers > 600) socket.destroy();
    });
    await rawEnd(socket);
  }
  const request = rawRequest(sandbox, 'get-all-coins');
  const { text } = await sendRaw(sandbox.url, kept(request).repeat(20) + request);
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(21);
});

it('a response sent while the server closes has Connection: close', async () => {
  const { sleep, began, release } = heldSleep();
  const sandbox = await sandboxForTest({ limits: LIMITS, sleep });
  await sandbox.operator.faults.add({ delay: 1000, endpoint: 'get-all-coins', times: 1 });
  const slow = rawSocket(sandbox.url);
  const quick = rawSocket(sandbox.url);
  slow.write(kept(rawRequest(sandbox, 'get-all-coins')));
  await began;
  quick.write(kept(rawRequest(sandbox, 'get-coin-network', '?coin=BTC')).slice(0, -2));
  await pause(20);
  const ends = Promise.all([rawEnd(slow), rawEnd(quick)]);
  const closed = sandbox.close();
  quick.write('\r\n');
  release();
  for (const { text } of await ends) {
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  }
  await closed;
});

/** A minimal request. */
const request = (path: string) => `GET ${path} HTTP/1.1\r\n\r\n`;

it('a request is read before most of 3,000 requests that another client has pipelined', async () => {
  const read: string[] = [];
  const server = createServer({ requireHostHeader: false }, ({ url = '' }, response) => {
    read.push(url);
    response.end();
  });
  readConnectionsInTurn(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')] as const;
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const [many, one] = clients;
  many.write(request('/m').repeat(3000));
  one.write(request('/one'));
  await once(one, 'data');
  expect(read.indexOf('/one')).toBeLessThan(1000);
  let answers = 0;
  for await (const chunk of many) {
    answers += String(chunk).match(/HTTP\/1\.1 200/g)?.length ?? 0;
    if (read.length === 3001) break;
  }
  expect(answers).toBeGreaterThan(0);
  one.destroy();
  server.close();
});

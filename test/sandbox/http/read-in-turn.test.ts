import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { readInTurn } from '../../../src/sandbox/http/read-in-turn.ts';

/** A minimal request. */
const request = (path: string) => `GET ${path} HTTP/1.1\r\n\r\n`;

it('a request is read before most of 3,000 requests that another client has pipelined', async () => {
  const read: string[] = [];
  const server = createServer({ requireHostHeader: false }, ({ url = '' }, response) => {
    read.push(url);
    response.end();
  });
  readInTurn(server, 'connection');
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

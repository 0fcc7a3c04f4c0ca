import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../../src/core/client/transport.ts';
import { AUTH_HEADERS } from '../../../src/core/partner-api/endpoints.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { CREATE } from '../swap/requests.ts';
import { CREDENTIALS, clientOf, failureOf, NOW, QUOTE, QUOTE_ANSWER } from './test-client.ts';

const answering = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  rawServer((_seen, response) => response.writeHead(status, headers).end(body));

describe('a request', () => {
  it('has the documented headers and its parameters in the query', async () => {
    const server = await answering(200, QUOTE_ANSWER.replace('BTC_', 'A&B_'));
    await clientOf(`${server.url}/some/base`).quote({ ...QUOTE, from: { coin: 'A&B', network: 'N 1' } });
    const [seen] = server.requests;
    expect(seen?.url).toBe(
      '/some/base/api/private/exchange-coin?amount=0.1&coinFrom=A%26B&coinTo=ETH&networkFrom=N+1&lastSource=deposit&typeSwap=2',
    );
    expect(seen?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      [AUTH_HEADERS.publicKey]: CREDENTIALS.publicKey,
      [AUTH_HEADERS.signature]: sign('exchange-coin', CREDENTIALS.secret),
      [AUTH_HEADERS.payload]: 'exchange-coin',
    });
  });

  it('for a page of coins asks for 100 items', async () => {
    const server = await answering(200, '{"pagination":{"pageCount":1},"depositCoins":[]}');
    await clientOf(server.url).coins(1, 7, 'btc');
    expect(server.requests[0]?.url).toBe('/api/private/get-all-coins?page=7&limit=100&method=1&search=btc');
  });

  it('to create a swap sends the amount as a number with all its digits', async () => {
    const server = await answering(400, '{}');
    const amount = '0.100000000000000000000000000001';
    const sides = { receive: { coin: 'XRP', network: 'XRP' }, lastSource: 'receive', type: 'fixed' } as const;
    const wanted = { ...CREATE, ...sides, amount, address: 'r1', memo: '7', refundAddress: 'b1' };
    await failureOf(clientOf(server.url).create(wanted));
    expect(server.requests[0]?.body).toBe(
      `{"depositCoin":"BTC","depositAmount":${amount},"depositNetwork":"BTC","receiveAddress":"r1","receiveCoin":"XRP","receiveNetwork":"XRP","typeSwap":1,"refundAddress":"b1","memo":"7","lastSource":"receive"}`,
    );
  });
});

describe('a successful response', () => {
  it.each([200, 201, 202, 203, 206, 299])('may have status %i', async (status) => {
    const server = await answering(status, QUOTE_ANSWER);
    expect((await clientOf(server.url).quote(QUOTE)).rate).toBe('25');
  });

  it('may be compressed, start with a byte order mark, and have any content type', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    const server = await answering(200, gzipSync(`\ufeff${QUOTE_ANSWER}`), headers);
    expect((await clientOf(server.url).quote(QUOTE)).receive).toBe('2.5');
  });

  it('may contain numbers as text, with exponents, and of any length', async () => {
    const server = await answering(
      200,
      '{"pair":"BTC_ETH","amount":"0.10","exchangeRate":1.5e-7,"receive":0.0000000123456789012345678901234567890,"minAmount":"0","maxAmount":1E3,"new":[{}]}',
    );
    expect(await clientOf(server.url).quote(QUOTE)).toMatchObject({
      amount: '0.10',
      rate: '0.00000015',
      receive: '0.0000000123456789012345678901234567890',
      min: '0',
      max: '1000',
    });
  });

  it('for a swap needs only an order number and a status', async () => {
    const bare = '{"orderNumber":4711,"status":"77","pairs":null,"type":[],"txId":null}';
    const { value: swap } = await clientOf((await answering(200, bare)).url).transaction('4711');
    const unknown = { status: 'unknown', statusCode: 77, final: false, type: null };
    expect(swap).toMatchObject({ order: '4711', ...unknown });
    expect(Object.values(swap.deposit).every((value) => value === null)).toBe(true);
  });
});

describe('an unusable response', () => {
  it.each([
    ['', 'it is not JSON'],
    ['<html>Welcome</html>', 'it is not JSON'],
    [QUOTE_ANSWER.slice(0, 40), 'it is not JSON'],
    ['['.repeat(10_000), 'it is not JSON'],
    ['{"pair":"A","pair":"B"}', 'it is not JSON'],
    ['null', 'the quote is not a JSON object'],
    ['[]', 'the quote is not a JSON object'],
    ['5', 'the quote is not a JSON object'],
    ['{}', 'the quote has no readable amount'],
    ['{"amount":true}', 'the quote has no readable amount'],
    ['{"amount":"1,5"}', 'the quote has no readable amount'],
    ['{"amount":1e999999}', 'the quote has no readable amount'],
    ['{"amount":{"isLosslessNumber":true,"value":"5"}}', 'the quote has no readable amount'],
  ])('throws bad_response for $0: $1', async (body, what) => {
    expect(await failureOf(clientOf((await answering(200, body)).url).quote(QUOTE))).toMatchObject({
      code: 'bad_response',
      exitCode: 6,
      httpStatus: 200,
      message: `The service sent an unusable response: ${what}.`,
    });
  });

  it.each([
    ['{"status":9}', 'the swap has no order number'],
    ['{"orderNumber":"","status":9}', 'the swap has no order number'],
    ['{"orderNumber":"A"}', 'the swap has no readable status'],
    ['{"orderNumber":"A","status":1.5}', 'the swap has no readable status'],
    // PostgreSQL cannot store it.
    ['{"orderNumber":"A","status":2147483648}', 'the swap has no readable status'],
  ])('throws bad_response for a swap: %s', async (body, what) => {
    const error = await failureOf(clientOf((await answering(200, body)).url).transaction('A'));
    expect(error.message).toBe(`The service sent an unusable response: ${what}.`);
    expect(error.httpStatus).toBe(200);
  });

  it.each([200, 203, 206])('reports status %i on every endpoint', async (status) => {
    const client = clientOf((await answering(status, '[]')).url);
    const reads = [client.coins(1, 1), client.coinNetworks('BTC'), client.quote(QUOTE)];
    const calls = [...reads, client.transaction('A'), client.updateRefundAddress('A', 'b1')];
    for (const error of await Promise.all(calls.map(failureOf)))
      expect(error).toMatchObject({ code: 'bad_response', httpStatus: status });
  });

  it('about another order throws bad_response with its status', async () => {
    const server = await answering(200, '{"orderNumber":"B","status":9}');
    const error = await failureOf(clientOf(server.url).transaction('A'));
    expect(error).toMatchObject({ code: 'bad_response', httpStatus: 200 });
  });
});

it('a swap is returned with the status of its response', async () => {
  const server = await answering(203, '{"orderNumber":"A","status":9}');
  const { value, httpStatus } = await clientOf(server.url).transaction('A');
  expect([value.order, httpStatus]).toEqual(['A', 203]);
});

it.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed', async (status) => {
  const other = await answering(200, QUOTE_ANSWER);
  const server = await answering(status, '', { location: `${other.url}/api/private/exchange-coin` });
  const client = clientOf(server.url);
  const error = await failureOf(client.quote(QUOTE));
  expect(error).toMatchObject({ code: 'bad_response', httpStatus: status, retryable: false });
  expect(error.hint).toBe('Redirects are never followed; check the base URL of the profile.');
  expect((await failureOf(client.create(CREATE))).outcome).toBe('unknown');
  expect((await failureOf(client.updateRefundAddress('A', 'x'))).outcome).toBe('unknown');
  expect([server.requests.length, other.requests.length]).toEqual([3, 0]);
});

it('a request is aborted by the signal of its client', async () => {
  const stopped = new AbortController();
  const server = await rawServer(() => stopped.abort());
  const client = clientOf(server.url, { signal: stopped.signal });
  expect((await failureOf(client.quote(QUOTE))).code).toBe('interrupted');
});

describe('a large response', () => {
  it('is read up to the size limit', async () => {
    const server = await answering(200, QUOTE_ANSWER.padEnd(MAX_ANSWER_BYTES));
    expect((await clientOf(server.url).quote(QUOTE)).receive).toBe('2.5');
  });

  it('over the size limit throws bad_response or leaves a create unknown, even if it was small when compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1, 0x20));
    expect(bomb.length).toBeLessThan(100_000);
    const client = clientOf((await answering(200, bomb, { 'content-encoding': 'gzip' })).url);
    const error = await failureOf(client.quote(QUOTE));
    expect(error).toMatchObject({ code: 'bad_response', exitCode: 6, httpStatus: 200 });
    expect(error.message).toMatch(/sent a response that is too large\.$/);
    expect(await failureOf(client.create(CREATE))).toMatchObject({ outcome: 'unknown' });
  });

  it('without an end is aborted at the size limit', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const stream = (response: ServerResponse) => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', () => stream(response));
    };
    const server = await rawServer((_seen, response) => stream(response));
    expect((await failureOf(clientOf(server.url).quote(QUOTE))).code).toBe('bad_response');
  });
});

describe('a server that', () => {
  const short = { timeoutMs: 150 };

  it('does not respond causes a timeout', async () => {
    const server = await rawServer(() => undefined);
    const client = clientOf(server.url, short);
    const error = await failureOf(client.quote(QUOTE));
    expect(error).toMatchObject({ code: 'timeout', exitCode: 6, retryable: true, httpStatus: null });
    expect(error.message).toBe(`${new URL(server.url).host} did not respond in time (ETIMEDOUT).`);
    // It is sent three times; a busy machine may not have passed each on in its 150 ms.
    expect(client.sleeps).toHaveLength(2);
  });

  it('responds too slowly causes a timeout', async () => {
    const server = await rawServer((_seen, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect((await failureOf(clientOf(server.url, short).quote(QUOTE))).code).toBe('timeout');
  });

  it('switches protocols causes bad_response without a retry', async () => {
    const server = await rawServer((_seen, _response, { socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    const error = await failureOf(clientOf(server.url, { timeoutMs: 60_000 }).quote(QUOTE));
    expect(error).toMatchObject({ code: 'bad_response', exitCode: 6, retryable: false, httpStatus: 101 });
    const { host } = new URL(server.url);
    expect(error.message).toBe(`${host} switched protocols (HTTP status 101), which was not requested.`);
    expect(server.requests).toHaveLength(1);
  });

  it('only sends informational responses causes a timeout', async () => {
    const server = await rawServer((_seen, response) => {
      const more = setInterval(() => response.writeProcessing(), 20);
      response.on('close', () => clearInterval(more));
    });
    expect((await failureOf(clientOf(server.url, short).quote(QUOTE))).code).toBe('timeout');
  });

  it.each([-3_600_000, 3_600_000])(
    'fails is retried until the deadline if the clock leaps %i ms',
    async (leap) => {
      let wall = NOW;
      const server = await rawServer((_seen, response) => {
        wall += leap;
        sendJson(response, 503, {});
      });
      const left: number[] = [];
      const sleep = async (milliseconds: number) => void left.push(milliseconds);
      const clocks = { now: () => wall, monotonic: () => 400 * left.length };
      const client = clientOf(server.url, { ...clocks, deadline: 1000, sleep });
      expect((await failureOf(client.quote(QUOTE))).code).toBe('service_error');
      // After 250 and 500 ms of pauses that took 400 each, a third try still lies within the second.
      expect(left).toEqual([250, 500]);
      expect(server.requests).toHaveLength(3);
    },
  );

  it('may have a timeout longer than a timer supports', async () => {
    const late = (...answer: Parameters<typeof sendJson>) => setTimeout(() => sendJson(...answer), 30);
    const server = await rawServer((_seen, response) => late(response, 200, QUOTE_ANSWER));
    expect((await clientOf(server.url, { timeoutMs: 90 * 86_400_000 }).quote(QUOTE)).receive).toBe('2.5');
  });

  it('is not running causes network_error with the host and the reason', async () => {
    const server = await rawServer(() => undefined);
    await server.close();
    const error = await failureOf(clientOf(server.url).quote(QUOTE));
    const unsent = { exitCode: 6, retryable: true, outcome: 'nothing-sent' };
    expect(error).toMatchObject({ code: 'network_error', ...unsent });
    expect(error.message).toBe(`${new URL(server.url).host} could not be reached (ECONNREFUSED).`);
    expect(error.hint).toBe(
      'Nothing changed. Nothing is listening on that host and port: check the base URL, or start the service.',
    );
  });

  it('cannot be resolved causes network_error', async () => {
    const error = await failureOf(clientOf('https://no-such-host.invalid').quote(QUOTE));
    expect(error.code).toBe('network_error');
    expect(error.message).toMatch(/^Cannot resolve host no-such-host\.invalid/);
  });

  const OK = 'HTTP/1.1 200 OK\r\n';
  const GZIP = 'Content-Encoding: gzip\r\nContent-Length: 4';
  it.each([
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', null],
    ['cuts off its response', `${OK}Content-Length: 500\r\n\r\n{"pair"`, 200],
    ['sends broken compression', `${OK}Connection: close\r\n${GZIP}\r\n\r\nnope`, 200],
    ['sends endless headers', `${OK}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, null],
  ])('%s causes network_error with the status if there was one', async (_what, bytes, httpStatus) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await failureOf(clientOf(`http://127.0.0.1:${port}`).quote(QUOTE));
    expect(error).toMatchObject({ code: 'network_error', httpStatus });
  });
});

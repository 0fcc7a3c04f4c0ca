import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { makeCertificate } from '../../helpers/tls-front.ts';
import { checkAnswer } from '../contract.ts';
import { rawEnd, rawRequest, rawSocket, sendRaw } from '../raw.ts';
import { call, freshFile, heldSleep, NEW_SWAP, testSandbox } from '../sandbox.ts';

const LIMITS = { headers: 300, request: 600, check: 50, drain: 2000 };

const log: string[] = [];

const sandbox = await testSandbox({ limits: LIMITS, log: (line) => log.push(line) });
afterAll(() => sandbox.stop());

const isAlive = async (): Promise<boolean> => (await call(sandbox, 'get-all-coins')).status === 200;

/** Status and JSON body of a raw response. */
function parts(text: string): { status: string | undefined; json: unknown } {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status: text.split(' ')[1], json: JSON.parse(body) };
}

/** Status and JSON body of a raw response that the OpenAPI document must allow. */
function documented(endpoint: EndpointName, text: string): ReturnType<typeof parts> {
  const answer = parts(text);
  checkAnswer(endpoint, Number(answer.status), answer.json);
  return answer;
}

const requestOf = (line: string, ...headers: readonly string[]) =>
  [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n');
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const GZIP = 'Transfer-Encoding: gzip, chunked';

describe('a malformed request', () => {
  it.each([
    ['two slashes', '//', '404'],
    ['a backslash', '/\\', '400'],
    ['half a URL', 'http://[::1/', '400'],
    ['a whole URL', 'http://[::1]/', '404'],
    ['a lone percent', '/%', '404'],
    ['dots', '/api/private/../private/nothing', '404'],
    ['a star', '*', '400'],
    ['an empty target', '', '400'],
    ['a query alone', '?', '400'],
    ['a long path', `/${'a'.repeat(8000)}`, '404'],
  ])('for the target "%s" is answered in JSON', async (_what, target, status) => {
    const { text } = await sendRaw(sandbox.url, requestOf(`GET ${target}`, 'Host: x', CLOSE));
    expect(parts(text)).toMatchObject({ status, json: { statusCode: Number.parseInt(status, 10) } });
    expect(await isAlive()).toBe(true);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', '400'],
    ['an unknown method', requestOf('FROB /'), '400'],
    ['a broken header', requestOf('GET /', 'broken'), '400'],
    [
      'two Content-Length headers',
      `${requestOf('POST /', 'Content-Length: 1', 'Content-Length: 2')}ab`,
      '400',
    ],
    ['Content-Length and chunks', `${requestOf('POST /', 'Content-Length: 1', CHUNKED)}0\r\n\r\n`, '400'],
    ['a broken chunk', `${requestOf('POST /', 'Host: x', CHUNKED)}zz\r\n`, '4'],
    ['a CONNECT', requestOf('CONNECT example.com:443', 'Host: example.com'), '400'],
    ['an expectation', requestOf('GET /', 'Host: x', 'Expect: miracles', CLOSE), '417'],
    ['another coding than chunked', `${requestOf('POST /', 'Host: x', GZIP, CLOSE)}0\r\n\r\n`, '501'],
    ['too many headers', requestOf('GET /', ...Array<string>(991).fill('a:b')), '431'],
    ['the maximum of headers', requestOf('GET /', CLOSE, ...Array<string>(989).fill('a:b')), '404'],
    ['no host', requestOf('GET /', CLOSE), '404'],
    ['two hosts', requestOf('GET /', 'Host: a', 'host: a', CLOSE), '400'],
    ['an invalid host', requestOf('GET /', 'Host: a b@c:d', CLOSE), '400'],
    ['an upgrade', requestOf('GET /', 'Host: x', 'Upgrade: websocket', 'Connection: upgrade, close'), '404'],
  ])('with %s is answered in JSON', async (_what, bytes, status) => {
    const { text } = await sendRaw(sandbox.url, bytes);
    const answer = parts(text);
    expect(answer.status?.startsWith(status)).toBe(true);
    expect(answer.json).toHaveProperty('statusCode');
    expect(await isAlive()).toBe(true);
  });
});

describe('a request that is too large', () => {
  const body = JSON.stringify({ ...NEW_SWAP, memo: 'x'.repeat(64 * 1024) });

  it('is rejected with 413 if its Content-Length is over 64 KiB', async () => {
    const { text } = await sendRaw(sandbox.url, rawRequest(sandbox, 'create-transaction', '', body));
    expect(documented('create-transaction', text)).toEqual({
      status: '413',
      json: { statusCode: 413, message: 'Request body is too large.' },
    });
    const exact = JSON.stringify({ ...NEW_SWAP, memo: 'x'.repeat(64 * 1024 - body.length + 64 * 1024) });
    expect(exact).toHaveLength(64 * 1024);
    const taken = await sendRaw(sandbox.url, rawRequest(sandbox, 'create-transaction', '', exact));
    expect(taken.text).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('is rejected with 413 if its chunks exceed 64 KiB', async () => {
    const head = rawRequest(sandbox, 'create-transaction').replace('\r\n\r\n', `\r\n${CHUNKED}\r\n\r\n`);
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
    const { text } = await sendRaw(sandbox.url, head + chunk.repeat(20));
    expect(parts(text).status).toBe('413');
    expect(await isAlive()).toBe(true);
  });

  it('is rejected with 431 if its headers or its URL exceed 16 KiB', async () => {
    const { text } = await sendRaw(sandbox.url, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(documented('get-all-coins', text)).toMatchObject({ status: '431', json: { statusCode: 431 } });
    const url = `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`;
    expect(parts((await sendRaw(sandbox.url, url)).text).status).toBe('431');
    expect(await isAlive()).toBe(true);
  });
});

describe('a slow client', () => {
  it('is disconnected with 408 in its headers or its body, while others are served', async () => {
    const slowHead = rawSocket(sandbox.url);
    slowHead.write('GET /api/private/get-all-coins HTTP/1.1\r\nHost: x\r\n');
    const slowBody = rawSocket(sandbox.url);
    slowBody.write(rawRequest(sandbox, 'create-transaction', '', JSON.stringify(NEW_SWAP)).slice(0, -20));
    const drip = setInterval(() => slowHead.write('X-More: x\r\n'), 40);
    const ends = Promise.all([rawEnd(slowHead), rawEnd(slowBody)]);
    for (let index = 0; index < 5; index += 1) {
      expect(await isAlive()).toBe(true);
      await pause(20);
    }
    const [head, body] = await ends;
    clearInterval(drip);
    const timedOut = { status: '408', json: { statusCode: 408 } };
    expect(documented('get-all-coins', head.text)).toMatchObject(timedOut);
    expect(documented('create-transaction', body.text)).toMatchObject(timedOut);
    await expect.poll(() => log).toContainEqual(expect.stringMatching(/ POST - 408 \d+ms$/));
    expect(await sandbox.operator.orders.list()).toHaveLength(1);
  });

  it('that disconnects during its create leaves no order', async () => {
    const before = (await sandbox.operator.orders.list()).length;
    const create = rawRequest(sandbox, 'create-transaction', '', JSON.stringify(NEW_SWAP));
    for (let index = 0; index < 20; index += 1) {
      const socket = rawSocket(sandbox.url);
      socket.write(create.slice(0, -5), () => socket.destroy());
      await rawEnd(socket);
    }
    expect(await isAlive()).toBe(true);
    expect(await sandbox.operator.orders.list()).toHaveLength(before);
  });
});

describe('a server that closes', () => {
  it('finishes the requests in progress and accepts no new ones', async () => {
    const { sleep, began, release } = heldSleep();
    const closing = await testSandbox({ sleep });
    await call(closing, 'get-all-coins');
    await closing.operator.faults.add({ delay: 1000, endpoint: 'create-transaction' });
    const slow = call(closing, 'create-transaction', NEW_SWAP);
    await began;
    const closed = closing.close();
    await expect(fetch(closing.url)).rejects.toThrow();
    release();
    expect((await slow).status).toBe(201);
    await closed;
    expect(await closing.operator.orders.list()).toHaveLength(1);
    await closing.operator.close();
  });

  it('does not wait for a client that never completes its request', async () => {
    const closing = await testSandbox({
      limits: { headers: 60_000, request: 60_000, check: 50, drain: 100 },
    });
    const socket = rawSocket(closing.url);
    socket.write('GET / HTTP/1.1\r\n');
    const end = rawEnd(socket);
    await pause(20);
    await closing.stop();
    expect((await end).text).toBe('');
  });
});

it('the log of a server has one line for each request, without secrets, signatures, addresses or queries', async () => {
  const lines: string[] = [];
  const logged = await testSandbox({ log: (line) => lines.push(line) });
  const { orderNumber, pairs } = (await call(logged, 'create-transaction', NEW_SWAP)).json;
  await call(logged, 'get-transaction', { id: orderNumber });
  await call(logged, 'update-refund-address', { id: orderNumber, refundAddress: 'tb1refund' });
  await call(logged, 'get-all-coins', {}, { 'x-api-signature': 'wrong' });
  await logged.operator.faults.add({ status: 500 });
  await call(logged, 'get-all-coins');
  await fetch(`${logged.url}/${NEW_SWAP.receiveAddress}?address=${NEW_SWAP.receiveAddress}`);
  await logged.stop();
  const at = '2026-01-01T00:00:00.000Z';
  expect(lines).toEqual([
    `${at} default POST create-transaction 201 0ms`,
    `${at} default GET get-transaction 200 0ms`,
    `${at} default PATCH update-refund-address 200 0ms`,
    `${at} - GET get-all-coins 403 0ms`,
    `${at} default GET get-all-coins fault-1 0ms`,
    `${at} - GET - 404 0ms`,
  ]);
  const { publicKey, secret } = logged.credentials;
  const signature = authHeaders('get-all-coins', logged.credentials)['x-api-signature'] ?? '';
  for (const hidden of [publicKey, secret, signature, pairs.deposit.address, 'tb1refund', orderNumber])
    expect(lines.join('\n')).not.toContain(hidden);
});

it('a sandbox with TLS serves HTTPS, and rejects a key that does not belong to the certificate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-tls-'));
  const { keyFile, certFile } = makeCertificate(folder);
  const tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  const secure = await testSandbox({ tls });
  expect(secure.url).toMatch(/^https:/);
  const status = await new Promise((resolve) => {
    const headers = authHeaders('get-all-coins', secure.credentials);
    const trust = { ca: tls.cert, servername: 'localhost', checkServerIdentity: () => undefined };
    request(`${secure.url}/api/private/get-all-coins`, { headers, ...trust }, (answer) =>
      resolve(answer.resume().statusCode),
    ).end();
  });
  expect(status).toBe(200);
  await secure.stop();
  for (const type of ['ec', 'ed25519'] as const) {
    const { privateKey } =
      type === 'ec' ? generateKeyPairSync(type, { namedCurve: 'P-256' }) : generateKeyPairSync(type);
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    const started = startSandbox({ database: freshFile(), tls: { ...tls, key } });
    await expect(started).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  }
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import { rawSocket, sendRaw } from '../raw.ts';
import { call, NEW_SWAP, postTo, testSandbox } from '../sandbox.ts';

const log: string[] = [];

const sandbox = await testSandbox({ log: (line) => log.push(line) });
afterAll(() => sandbox.stop());

/** Sends a signed body unchanged, with additional headers. */
async function post(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
  const { status, json } = await postTo(sandbox, body, headers);
  return [status, json.message];
}

/** Sends a signed request for a target unchanged; the status and body of the response. */
async function get(target: string): Promise<string> {
  const auth = authHeaders('get-coin-network', sandbox.credentials);
  const headers = Object.entries({ host: 'localhost', connection: 'close', ...auth });
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const { text } = await sendRaw(sandbox.url, `GET ${target} HTTP/1.1\r\n${lines}\r\n\r\n`);
  return `${text.slice(9, 12)} ${text.split('\r\n\r\n')[1] ?? ''}`;
}

const GOOD = JSON.stringify(NEW_SWAP);
const UNSUPPORTED = [415, 'Unsupported Media Type'];

describe('the body of a request', () => {
  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'of type %s is accepted',
    async (type) => expect((await post(GOOD, { 'content-type': type }))[0]).toBe(201),
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json-patch+json',
    'application/json; charset=latin1',
    '',
  ])('of type "%s" is rejected', async (type) =>
    expect(await post(GOOD, { 'content-type': type })).toEqual(UNSUPPORTED),
  );

  it('with a Content-Encoding other than identity is rejected', async () => {
    for (const encoding of ['gzip', 'br', 'swapctl'])
      expect(await post(GOOD, { 'content-encoding': encoding })).toEqual(UNSUPPORTED);
    expect((await post(GOOD, { 'content-encoding': 'identity' }))[0]).toBe(201);
  });

  it('that is not UTF-8 is rejected after its signature is checked', async () => {
    const bytes = Buffer.from(GOOD.replace('"BTC"', '"BT\xff"'), 'latin1');
    expect(await post(bytes)).toEqual([400, ['body must be valid UTF-8']]);
    expect(await post(bytes, { 'x-api-signature': 'none' })).toEqual([403, 'Invalid signature.']);
    expect((await post(`\ufeff${GOOD}`))[0]).toBe(201);
  });

  it('may be nested 200 levels deep', async () => {
    const nested = (levels: number) => `{"more":${'['.repeat(levels)}${']'.repeat(levels)},${GOOD.slice(1)}`;
    expect((await post(nested(199)))[0]).toBe(201);
    expect(await post(nested(200))).toEqual([400, ['body must be valid JSON']]);
  });

  it.each([true, false])('that ends early by a disconnect is logged as 408; signed: %s', async (isSigned) => {
    const auth = isSigned ? Object.entries(authHeaders('create-transaction', sandbox.credentials)) : [];
    const lines = auth.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    const socket = rawSocket(sandbox.url);
    log.length = 0;
    const half = `POST /api/private/create-transaction HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n${lines}${isSigned ? '\r\n' : ''}\r\n{"half":`;
    await new Promise((resolve) => socket.write(half, resolve));
    await pause(50);
    socket.destroy();
    while (log.length === 0) await pause(5);
    expect(log.join('\n')).toMatch(/ POST - 408 [0-9]+ms$/);
    expect(log.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

describe('the path of a request', () => {
  const NETWORKS = '/api/private/get-coin-network?coin=BTC';

  it('may be the exact path of an endpoint, or the absolute URL that proxies use', async () => {
    expect(await get(NETWORKS)).toMatch(/^200 /);
    expect(await get(`http://localhost${NETWORKS}`)).toMatch(/^200 /);
  });

  it.each([
    '/api/private/get%2dcoin%2Dnetwork?coin=BTC',
    '/api/private/%67et-coin-network?coin=BTC',
    '/api/x/../private/get-coin-network?coin=BTC',
    '/api/private/./get-coin-network?coin=BTC',
    '/api/%2e/private/get-coin-network?coin=BTC',
    '/api/x/%2e%2E/private/get-coin-network?coin=BTC',
    '\\api\\private\\get-coin-network?coin=BTC',
    '/api/private/get-coin-network/?coin=BTC',
    '//api/private/get-coin-network?coin=BTC',
  ])('%s is not found', async (target) => {
    expect(await get(target)).toMatch(/^(404|400) /);
    if (!target.startsWith('\\')) expect(await get(target)).toMatch(/^404 /);
  });
});

describe('the query of a request', () => {
  const with_ = (text: string) => get(`/api/private/get-coin-network?coin=${text}`);

  it.each(['%ff', '%C3', '%c3%28', '%ED%A0%80', 'BTC&x=%80'])(
    'with %s, which is not UTF-8, is rejected',
    async (text) => expect(await with_(text)).toMatch(/^400 .*"query must be valid UTF-8"/),
  );

  it('with bytes that are invalid in a URL is rejected', async () => {
    expect(await with_('é')).toBe('400 {"statusCode":400,"message":"Bad Request"}');
  });

  it('may contain any UTF-8 character and a lone percent sign', async () => {
    expect(await with_('%42T%43')).toMatch(/^200 /);
    for (const text of ['%C3%A9', '%', '%zz', '%EF%BF%BD', '%F0%9F%98%80'])
      expect(await with_(text)).toMatch(/^404 /);
  });
});

it('a fault neither affects nor counts a request with a wrong signature', async () => {
  await sandbox.operator.faults.add({ status: 418, body: '{}' });
  const stranger = { ...sandbox, credentials: { ...sandbox.credentials, secret: 'wrong' } };
  const { status, json } = await call(stranger, 'get-coin-network', { coin: 'BTC' });
  expect([status, json.message]).toEqual([403, 'Invalid signature.']);
  expect((await sandbox.operator.faults.list())[0]).toMatchObject({ seen: 0, fired: 0 });
  expect(await get('/api/private/get-coin-network?coin=BTC')).toBe('418 {}');
  await sandbox.operator.faults.clear();
});

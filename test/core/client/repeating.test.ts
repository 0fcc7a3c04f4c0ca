import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  MAX_COMMAND_PAUSE_MS,
  MAX_REPEATS,
  retryAfterMs,
  retryDelay,
} from '../../../src/core/client/send.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { CREATE } from '../swap/requests.ts';
import { clientOf, failureOf, NOW, QUOTE, QUOTE_ANSWER, type TestClient } from './test-client.ts';

type Reply = (response: ServerResponse) => void;

const status = (code: number, headers: Record<string, string> = {}): Reply => {
  const body = '{"statusCode":500,"message":"Server error."}';
  return (response) => response.writeHead(code, headers).end(body);
};
const cut: Reply = (response) => response.destroy();
const half: Reply = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"pair":');
  setImmediate(() => response.destroy());
};
const quote: Reply = (response) => sendJson(response, 200, QUOTE_ANSWER);
const UPDATED = { message: 'ok', order: 'A', refundAddress: 'x' };
const updated: Reply = (response) =>
  sendJson(response, 200, { message: 'ok', orderNumber: 'A', newRefundAddress: 'x' });

/** A server that gives these replies in turn, the last one again and again. */
const serverOf = (...replies: readonly Reply[]) => {
  let count = 0;
  return rawServer((_seen, response) => {
    replies[Math.min(count, replies.length - 1)]?.(response);
    count += 1;
  });
};

const CALLS = [
  ['a read', 'GET', (client: TestClient) => client.quote(QUOTE), quote],
  ['a refund address', 'PATCH', (client: TestClient) => client.updateRefundAddress('A', 'x'), updated],
] as const;

describe.each(CALLS)('%s', (_, method, call, good) => {
  it.each([
    ['a 500', status(500)],
    ['a 503', status(503)],
    ['a 429', status(429)],
    ['a connection cut before the response', cut],
    ['half a response', half],
  ])('is retried after %s with the same request', async (_what, reply) => {
    const server = await serverOf(reply, reply, good);
    const client = clientOf(server.url);
    expect(await call(client)).toMatchObject(method === 'GET' ? { receive: '2.5' } : { value: UPDATED });
    const sent = [method, method === 'GET' ? '' : '{"id":"A","refundAddress":"x"}'];
    expect(server.requests.map((seen) => [seen.method, seen.body])).toEqual([sent, sent, sent]);
    expect(client.sleeps).toEqual([250, 500]);
  });

  it(`is retried at most ${MAX_REPEATS} times`, async () => {
    const server = await serverOf(status(500));
    const error = await failureOf(call(clientOf(server.url)));
    expect(error).toMatchObject({ code: 'service_error', httpStatus: 500, retryable: true, exitCode: 6 });
    expect(server.requests).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 405, 409, 410, 413, 422])('is not retried after status %i', async (code) => {
    const server = await serverOf(status(code));
    await failureOf(call(clientOf(server.url)));
    expect(server.requests).toHaveLength(1);
  });

  it.each([408, 425, 460, 499])('is retried after status %i of a proxy', async (code) => {
    const server = await serverOf(status(code));
    const error = await failureOf(call(clientOf(server.url)));
    expect(error).toMatchObject({ code: 'service_error', retryable: true, exitCode: 6 });
    expect(server.requests).toHaveLength(3);
  });

  it('waits as long as Retry-After says, in seconds or until a date', async () => {
    const date = new Date(NOW + 7000).toUTCString();
    const [seconds, until] = [status(429, { 'retry-after': '3' }), status(503, { 'retry-after': date })];
    const client = clientOf((await serverOf(seconds, until, good)).url);
    await call(client);
    expect(client.sleeps).toEqual([3000, 7000]);
  });

  it('fails immediately if Retry-After is too long', async () => {
    const server = await serverOf(status(429, { 'retry-after': '86400' }));
    const client = clientOf(server.url);
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ code: 'rate_limited', exitCode: 6, retryable: true, httpStatus: 429 });
    expect([server.requests.length, client.sleeps.length]).toEqual([1, 0]);
  });

  it('is not retried past the deadline', async () => {
    const server = await serverOf(status(500));
    await failureOf(call(clientOf(server.url, { deadline: NOW + 250 })));
    expect(server.requests).toHaveLength(1);
  });

  it('reports each retry', async () => {
    const server = await serverOf(status(500), good);
    const reported: unknown[] = [];
    const onRepeat = (error: { code: string }, delay: number) => reported.push([error.code, delay]);
    await call(clientOf(server.url, { onRepeat }));
    expect(reported).toEqual([['service_error', 250]]);
  });
});

it.each([
  ['a 429', status(429, { 'retry-after': '0' }), 'rate_limited'],
  ['a 500', status(500), 'outcome_unknown'],
  ['a 503 with Retry-After', status(503, { 'retry-after': '0' }), 'outcome_unknown'],
  ['a lost response', cut, 'outcome_unknown'],
  ['half a response', half, 'outcome_unknown'],
  ['a redirect', status(307, { location: '/elsewhere' }), 'outcome_unknown'],
])('a create is not retried after %s', async (_what, reply, code) => {
  const server = await serverOf(reply);
  const attempts: number[] = [];
  const client = clientOf(server.url, { onRequest: ({ attempt }) => attempts.push(attempt) });
  expect((await failureOf(client.create(CREATE))).code).toBe(code);
  expect([server.requests.length, client.sleeps.length, attempts]).toEqual([1, 0, [1]]);
});

describe('the pause before a retry', () => {
  const at = (random: number) => ({ now: () => NOW, sleep: async () => undefined, random: () => random });

  it('is random below a limit that doubles', () => {
    expect([0, 1, 2].map((repeat) => retryDelay(repeat, null, at(0)))).toEqual([0, 0, 0]);
    expect([0, 1, 2].map((repeat) => retryDelay(repeat, null, at(0.999999)))).toEqual([499, 999, 1999]);
    expect(retryDelay(30, null, at(0.999999))).toBe(7999);
  });

  it.each([
    ['0', 0],
    [' 2 ', 2000],
    ['Sat, 31 Jan 2026 12:00:05 GMT', 5000],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['Mon, nonsense', null],
    ['', null],
    ['2026-01-31', null],
    ['99999999999999999999', 1e23],
    [null, null],
  ])('for Retry-After %j is %j', (header, expected) => expect(retryAfterMs(header, NOW)).toBe(expected));

  it('is at most the maximum, and null if Retry-After exceeds it', () => {
    const seconds = MAX_COMMAND_PAUSE_MS / 1000;
    expect(retryDelay(0, String(seconds), at(0))).toBe(MAX_COMMAND_PAUSE_MS);
    expect(retryDelay(0, String(seconds + 1), at(0))).toBeNull();
    expect(retryDelay(0, '999999999', at(0))).toBeNull();
    expect(retryDelay(0, 'Fri, 31 Dec 9999 23:59:59 GMT', at(0))).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { createBody } from '../../../src/core/client/client.ts';
import { loggedTransport, type SentRequest } from '../../../src/core/client/request-log.ts';
import { isSuccess, sendRepeatable } from '../../../src/core/client/send.ts';
import type { ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { type RequestLimit, type RequestTurns, takeTurn } from '../../../src/core/client/turns.ts';
import { writeJson } from '../../../src/core/partner-api/json.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { CREATE } from '../swap/requests.ts';
import { CREDENTIALS, clientOf, failureOf, NOW, QUOTE } from './test-client.ts';

const REQUEST = { endpoint: 'exchange-coin' } as const;
const answer = (status: number) => ({ status, text: '{}', retryAfter: null, headers: {} });

const OPTIONS = {
  baseUrl: 'https://swap.example',
  credentials: CREDENTIALS,
  timeoutMs: 30_000,
  random: () => 0,
  now: () => NOW,
  sleep: async () => undefined,
};

/** Sends a request to a service that answers with these statuses, one after the other; what was sent, in milliseconds. */
async function sent(
  statuses: readonly number[],
  { deadline, limit }: { readonly deadline?: number; readonly limit?: Partial<RequestLimit> } = {},
) {
  const requests: ApiRequest[] = [];
  const transport: Transport = async (request) => answer(statuses[requests.push(request) - 1] ?? 200);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
  const options = { ...OPTIONS, sleep, ...(deadline === undefined ? {} : { deadline }) };
  const turns: RequestTurns = {
    limit: { tryTake: async () => 0, observe: async () => undefined, ...limit },
    timeLeft: () => 1e9,
  };
  const done = await sendRepeatable(transport, REQUEST, options, limit && turns).then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  );
  return { done, requests, pauses };
}

it('a response is successful with a status from 200 to 299', () => {
  expect([199, 200, 299, 300].map((status) => isSuccess(answer(status)))).toEqual([false, true, true, false]);
});

it('no request has the secret of its key pair in it', async () => {
  const sent: ApiRequest[] = [];
  const transport: Transport = async (request) => answer(sent.push(request) && 200);
  const client = clientOf('https://swap.example', { transport });
  const text = `x${CREDENTIALS.secret}`;
  const calls = [
    () => client.transaction(text),
    () => client.quote({ ...QUOTE, from: { coin: text, network: null } }),
    () => client.create({ ...CREATE, memo: text }),
    () => client.updateRefundAddress('KQWZPA', text),
    () => client.raw({ endpoint: 'get-transaction', query: { [text]: '' } }),
  ];
  for (const call of calls)
    expect(await failureOf(call())).toMatchObject({ code: 'usage', outcome: 'nothing-sent' });
  expect(sent).toEqual([]);
});

it('reads share a connection, and every other request has its own', async () => {
  const sockets: unknown[] = [];
  const { url } = await rawServer((_seen, response, { socket }) => {
    if (!sockets.includes(socket)) sockets.push(socket);
    sendJson(response, 200, {});
  });
  const { raw } = clientOf(url);
  const connections: number[] = [];
  for (const method of ['GET', 'GET', 'POST', 'PATCH', 'GET'] as const) {
    const body = method === 'GET' ? {} : { body: '{}' };
    await raw({ endpoint: 'get-transaction', method, ...body }, () => undefined);
    connections.push(sockets.length);
  }
  expect(connections).toEqual([1, 1, 2, 3, 3]);
});

describe('a read', () => {
  it('has a timeout of the time left, at most that of one request', async () => {
    const limits = async (deadline?: number) =>
      (await sent([200], { ...(deadline === undefined ? {} : { deadline }) })).requests[0]?.timeoutMs;
    expect(await limits()).toBe(30_000);
    expect(await limits(NOW + 500)).toBe(500);
    expect(await limits(NOW + 60_000)).toBe(30_000);
    expect(await limits(NOW + 0.5)).toBe(1);
  });

  it('is retried twice, and with a shared limit only if it gets a turn', async () => {
    const tries = async (statuses: readonly number[], turns?: number) => {
      let taken = 0;
      const tryTake = async () => (++taken > (turns ?? 0) ? Number.POSITIVE_INFINITY : 0);
      const { done, requests } = await sent(statuses, turns === undefined ? {} : { limit: { tryTake } });
      return [done, requests.map(({ attempt }) => attempt)];
    };
    expect(await tries([500, 500, 200])).toEqual([200, [1, 2, 3]]);
    expect(await tries([429, 200])).toEqual([200, [1, 2]]);
    expect(await tries([429, 200], 9)).toEqual([200, [1, 2]]);
    expect(await tries([429, 429, 429, 200], 9)).toEqual(['rate_limited', [1, 2, 3]]);
    expect(await tries([429, 200], 1)).toEqual(['rate_limited', [1]]);
    expect(await tries([500, 200], 9)).toEqual([200, [1, 2]]);
    expect(await tries([500, 200], 1)).toEqual(['service_error', [1]]);
    expect(await tries([200], 0)).toEqual(['timeout', []]);
  });

  it('is retried after a pause, or after a turn in a shared limit if the service limits it', async () => {
    const pausesOf = async (status: number, limit?: object) =>
      (await sent([status, 200], limit === undefined ? {} : { limit })).pauses.length;
    expect([await pausesOf(500), await pausesOf(429)]).toEqual([1, 1]);
    expect([await pausesOf(500, {}), await pausesOf(429, {})]).toEqual([1, 0]);
  });

  it.each([
    [30_000, 1],
    [13_000, 2],
    [9000, 3],
  ])('whose attempts time out after %i ms each is sent %i times', async (each, times) => {
    let [now, tries] = [NOW, 0];
    const transport: Transport = async () => {
      [now, tries] = [now + each, tries + 1];
      throw new TransportError('timeout', true);
    };
    await expect(sendRepeatable(transport, REQUEST, { ...OPTIONS, now: () => now })).rejects.toThrow();
    expect(tries).toBe(times);
  });

  it('is retried only after its pause', async () => {
    const events: string[] = [];
    const transport: Transport = async () => answer(events.push('sent') === 1 ? 500 : 200);
    const sleep = async () => {
      await new Promise(setImmediate);
      events.push('slept');
    };
    await sendRepeatable(transport, REQUEST, { ...OPTIONS, sleep });
    expect(events).toEqual(['sent', 'slept', 'sent']);
  });

  it('does not return before its response was observed', async () => {
    let noted = false;
    const observe = async () => {
      await new Promise(setImmediate);
      noted = true;
    };
    const { done } = await sent([200], { limit: { observe } });
    expect([done, noted]).toEqual([200, true]);
  });
});

it('a turn is awaited in pauses of at most 30 s, and not beyond the time left', async () => {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    slept.push(milliseconds);
  };
  const limit = { tryTake: async () => Math.max(0, 70_000 - now), observe: async () => undefined };
  const within = (time: number) => takeTurn({ limit, timeLeft: () => time - now }, sleep);
  expect([await within(70_000), slept]).toEqual([false, []]);
  expect([await within(70_001), slept]).toEqual([true, [30_000, 30_000, 10_000]]);
  expect(await within(70_000)).toBe(false);
});

it('an error contains no signature, even one by another secret', async () => {
  const message = `not ${sign('exchange-coin', 'other')}`;
  const { url } = await rawServer((_, response) => sendJson(response, 400, { message }));
  expect((await failureOf(clientOf(url).quote(QUOTE))).message).toMatch(/^not (?!.*[0-9a-f]{64})/);
});

it('a create omits a memo and a refund address that are null', () => {
  const body = (more: object) => writeJson(createBody({ ...CREATE, ...more }));
  const start =
    '{"depositCoin":"BTC","depositAmount":0.1,"depositNetwork":"BTC","receiveAddress":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","receiveCoin":"ETH","receiveNetwork":"ETH","typeSwap":2';
  expect(body({})).toBe(`${start},"lastSource":"deposit"}`);
  expect(body({ memo: '7', refundAddress: 'b' })).toBe(
    `${start},"refundAddress":"b","memo":"7","lastSource":"deposit"}`,
  );
});

it('a request is reported when it has ended, with its duration and status', async () => {
  const reports: SentRequest[] = [];
  const report = (request: SentRequest) => void reports.push(request);
  for (const end of [answer(404), new TransportError('broken', true, null, 200), new Error('words')]) {
    let clock = 1000;
    const transport: Transport = async () => {
      await Promise.resolve();
      clock += 7;
      if (end instanceof Error) throw end;
      return end;
    };
    const logged = loggedTransport(transport, () => clock, report);
    await logged({ ...REQUEST, attempt: 2 }).catch(() => undefined);
  }
  const sent = { method: 'GET', path: '/api/private/exchange-coin', milliseconds: 7, attempt: 2 };
  expect(reports).toEqual([404, 200, null].map((status) => ({ ...sent, status })));
});

import { describe, expect, it } from 'vitest';
import { loggedTransport, type SentRequest } from '../../src/client/request-log.ts';
import { isSuccess, type RequestTurns, retryAfterMs, sendRepeatable } from '../../src/client/send.ts';
import type { ApiRequest, Transport } from '../../src/client/transport.ts';
import { TransportError } from '../../src/client/transport-error.ts';
import { CREDENTIALS, NOW } from './test-client.ts';

const REQUEST = { endpoint: 'exchange-coin' } as const;
const answer = (status: number) => ({ status, text: '{}', retryAfter: null, headers: {} });

/** Sends a request to a service that answers with these statuses, one after the other; what was sent, in milliseconds. */
async function sent(
  statuses: readonly number[],
  { deadline, turns }: { readonly deadline?: number; readonly turns?: Partial<RequestTurns> } = {},
) {
  const requests: ApiRequest[] = [];
  const transport: Transport = async (request) => answer(statuses[requests.push(request) - 1] ?? 200);
  const options = {
    ...{ baseUrl: 'https://swap.example', credentials: CREDENTIALS, timeoutMs: 30_000, random: () => 0 },
    ...{ now: () => NOW, sleep: async () => undefined, ...(deadline === undefined ? {} : { deadline }) },
  };
  const shared: RequestTurns = {
    ...{ beforeRepeat: async () => true, onAnswer: async () => undefined, timeLeft: () => 1e9, ...turns },
  };
  const done = await sendRepeatable(transport, REQUEST, options, turns && shared).then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  );
  return { done, requests };
}

it('an answer is a success from 200 to 299', () => {
  expect([199, 200, 299, 300].map((status) => isSuccess(answer(status)))).toEqual([false, true, true, false]);
});

describe('a read', () => {
  it('has the time that is left, at most that of one request and at least a millisecond', async () => {
    const limits = async (deadline?: number) =>
      (await sent([200], { ...(deadline === undefined ? {} : { deadline }) })).requests[0]?.timeoutMs;
    expect(await limits()).toBeUndefined();
    expect(await limits(NOW + 500)).toBe(500);
    expect(await limits(NOW + 60_000)).toBe(30_000);
    expect(await limits(NOW + 0.5)).toBe(1);
  });

  it('is repeated twice, and after a 429 only by one that shares the limit with no one', async () => {
    const tries = async (statuses: readonly number[], turns?: Partial<RequestTurns>) => {
      const { done, requests } = await sent(statuses, { ...(turns && { turns }) });
      return [done, requests.map(({ attempt }) => attempt)];
    };
    expect(await tries([500, 500, 200])).toEqual([200, [1, 2, 3]]);
    expect(await tries([429, 200])).toEqual([200, [1, 2]]);
    expect(await tries([429, 200], {})).toEqual(['rate_limited', [1]]);
    expect(await tries([500, 200], {})).toEqual([200, [1, 2]]);
    expect(await tries([500, 200], { beforeRepeat: async () => false })).toEqual(['service_error', [1]]);
  });

  it('waits until its answer is noted', async () => {
    let noted = false;
    const onAnswer = async () => {
      await Promise.resolve();
      noted = true;
    };
    const { done } = await sent([200], { turns: { onAnswer } });
    expect([done, noted]).toEqual([200, true]);
  });
});

it.each([
  ['Mon, nonsense', null],
  ['Sat, 31 Jan 2026 11:59:00 GMT', 0],
  [' 7 ', 7000],
])('Retry-After %j is a pause of %j milliseconds', (header, pause) => {
  expect(retryAfterMs(header, NOW)).toBe(pause);
});

it('a request is reported when it has ended, with its time and the status that came', async () => {
  const ends = [
    async () => answer(404),
    async () => Promise.reject(new TransportError('broken', true, null, 200)),
    async () => Promise.reject(new Error('words')),
  ];
  const reports: SentRequest[] = [];
  for (const end of ends) {
    let clock = 1000;
    const transport: Transport = async () => {
      await Promise.resolve();
      clock += 7;
      return end();
    };
    const logged = loggedTransport(
      transport,
      () => clock,
      (report) => reports.push(report),
    );
    await logged({ ...REQUEST, attempt: 2 }).catch(() => undefined);
  }
  expect(reports).toEqual(
    [404, 200, null].map((status) => ({
      ...{ method: 'GET', path: '/api/private/exchange-coin', status, milliseconds: 7, attempt: 2 },
    })),
  );
});

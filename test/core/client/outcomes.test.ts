import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { confirmsRefund, unconfirmedRefund } from '../../../src/core/client/writes.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { CREATE } from '../swap/requests.ts';
import { CREDENTIALS, clientOfReplies, type Reply } from './test-client.ts';

const lost = new TransportError('timeout', true, 'ETIMEDOUT');
const refused = [400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 414, 415, 422, 428, 429, 431, 451];
const maybeDone = [
  199, 300, 302, 399, 406, 407, 408, 412, 416, 418, 421, 423, 424, 425, 426, 430, 444, 452, 460, 494, 499,
  500, 502, 503, 504,
];

const UNUSABLE = 'The service sent an unusable response';

describe('a create', () => {
  it.each([
    ...refused.map((status) => [status, 'refused'] as const),
    ...maybeDone.map((status) => [status, 'unknown'] as const),
  ])('that is answered with status %d has the outcome %s', async (status, outcome) => {
    const { client, sent } = clientOfReplies([{ status }]);
    const unknown = outcome === 'unknown' && { code: 'outcome_unknown', retryable: false };
    await expect(client.create(CREATE)).rejects.toMatchObject({ outcome, httpStatus: status, ...unknown });
    expect(sent).toHaveLength(1);
  });

  it.each<[words: string, reply: Reply]>([
    ['swap.example answered with a redirect (302), which is never followed.', { status: 302 }],
    ['swap.example answered with a redirect (300), which is never followed.', { status: 300 }],
    ['swap.example answered 199 without a message.', { status: 199 }],
    ['swap.example answered 500: Boom.', { status: 500, text: '{"message":"Boom"}' }],
    ['swap.example answered 406 without a message.', { status: 406 }],
    [`${UNUSABLE}: the swap has no order number.`, { status: 201 }],
    [`${UNUSABLE}: the swap has no readable status.`, { status: 201, text: '{"orderNumber":"--exec=sh"}' }],
    ['swap.example did not respond in time (ETIMEDOUT).', lost],
  ])('with an unknown outcome says why: %s', async (words, reply) => {
    const { client } = clientOfReplies([reply]);
    await expect(client.create(CREATE)).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: `The outcome is unknown: an order may exist. ${words}`,
      details: null,
    });
  });
});

describe('a refund address', () => {
  const wanted = { order: 'A', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };

  it.each<[order: string | null, refundAddress: string | null, isConfirmed: boolean]>([
    ['A', wanted.address, true],
    [null, wanted.address.toLowerCase(), true],
    ['B', wanted.address, false],
    ['A', null, false],
    ['A', '0xde709f2102306220921060314715629080e2fb77', false],
  ])('with response order %j, address %j is confirmed: %s', async (order, refundAddress, isConfirmed) => {
    expect(await confirmsRefund({ message: null, order, refundAddress }, 'ETH', wanted)).toBe(isConfirmed);
  });

  it('that is not confirmed may have been set, and can be retried', () => {
    const value = { message: null, order: 'A', refundAddress: 'b' };
    expect(unconfirmedRefund({ value, httpStatus: 200 }, 'a', 'A')).toMatchObject({
      code: 'bad_response',
      outcome: 'unknown',
      retryable: true,
      httpStatus: 200,
      details: { sent: 'a', answered: 'b' },
    });
  });

  it('whose request fails with an internal error throws that error', async () => {
    const mistake = new RangeError('words');
    const { client } = clientOfReplies([lost, mistake]);
    await expect(client.updateRefundAddress('A', 'b')).rejects.toBe(mistake);
  });
});

describe('a raw request', () => {
  const tries = async (request: ApiRequest, reply: Reply) => {
    const { client, sent } = clientOfReplies([reply]);
    const end = await client.raw(request).then(
      ({ status }) => status,
      ({ code }: { code: string }) => code,
    );
    return [end, sent.length];
  };

  it('is retried if it reads or sets a refund address, and otherwise sent once', async () => {
    const endpoint = 'update-refund-address';
    expect(await tries({ endpoint: 'exchange-coin' }, { status: 500 })).toEqual(['service_error', 3]);
    expect(await tries({ endpoint }, { status: 500 })).toEqual(['service_error', 3]);
    for (const request of [
      { endpoint, method: 'POST' },
      { endpoint: 'exchange-coin', method: 'PATCH' },
      { endpoint: 'exchange-coin', method: 'DELETE' },
      { endpoint: 'create-transaction' },
    ] as const)
      expect(await tries(request, { status: 500 })).toEqual(['outcome_unknown', 1]);
  });

  it('must be answered with an order only if it creates one', async () => {
    const order = '{"orderNumber":"A","status":9}';
    expect(await tries({ endpoint: 'create-transaction' }, { status: 201 })).toEqual(['outcome_unknown', 1]);
    expect(await tries({ endpoint: 'create-transaction' }, { text: order })).toEqual([200, 1]);
    expect(await tries({ endpoint: 'exchange-coin', method: 'POST' }, { text: 'no' })).toEqual([200, 1]);
    expect(await tries({ endpoint: 'exchange-coin' }, { text: 'no' })).toEqual(['bad_response', 1]);
  });

  it('returns headers without secrets and signatures', async () => {
    const cookies = ['a', `b=${CREDENTIALS.secret}`];
    const headers = { 'x-other': sign('exchange-coin', 'other'), 'set-cookie': cookies };
    const { client } = clientOfReplies([{ headers }]);
    const answer = await client.raw({ endpoint: 'exchange-coin' });
    expect(JSON.stringify(answer.headers)).not.toMatch(/sk-never|[0-9a-f]{64}/);
    expect(answer.headers['set-cookie']).toHaveLength(2);
  });
});

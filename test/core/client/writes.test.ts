import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/core/client/client.ts';
import type { ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { CREATE } from '../swap/requests.ts';

/** A client whose clock stands still, on a transport that keeps what it was given. */
function clientAt(now: number, deadline: number, answer: Transport) {
  const sent: ApiRequest[] = [];
  const client = createClient({
    baseUrl: 'https://swap.example',
    credentials: { publicKey: 'pk', secret: 'secret' },
    timeoutMs: 30_000,
    deadline,
    now: () => now,
    random: () => 0,
    sleep: async () => undefined,
    transport: (request) => {
      sent.push(request);
      return answer(request);
    },
  });
  return { client, sent };
}

const good: Transport = async () => ({
  status: 201,
  headers: {},
  text: '{"orderNumber":"A","status":9}',
  retryAfter: null,
});

describe('a create near the end of --timeout', () => {
  it('is not sent once the time is up', async () => {
    const { client, sent } = clientAt(1000, 1000, good);
    await expect(client.create(CREATE)).rejects.toMatchObject({
      code: 'timeout',
      outcome: 'nothing-sent',
      retryable: true,
    });
    expect(sent).toEqual([]);
  });

  it('is not aborted once it was sent', async () => {
    const { client, sent } = clientAt(999, 1000, good);
    expect(await client.create(CREATE)).toMatchObject({ value: { order: 'A' } });
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([undefined]);
  });
});

describe('a refund address', () => {
  it('that was never sent is not reported as possibly set', async () => {
    const { client, sent } = clientAt(0, 1e9, async () => {
      throw new TransportError('unreachable', false, 'ECONNREFUSED');
    });
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject({
      code: 'network_error',
      outcome: 'nothing-sent',
    });
    expect(sent).toHaveLength(3);
  });

  it('that was sent before a retry failed is reported as possibly set', async () => {
    let tries = 0;
    const { client } = clientAt(0, 1e9, async () => {
      tries += 1;
      throw new TransportError(tries === 1 ? 'timeout' : 'unreachable', tries === 1);
    });
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject({
      code: 'network_error',
      outcome: 'unknown',
      retryable: true,
    });
  });

  it('that is rejected has the outcome refused', async () => {
    const { client, sent } = clientAt(0, 1e9, async () => ({
      status: 404,
      headers: {},
      text: '',
      retryAfter: null,
    }));
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject({ outcome: 'refused' });
    expect(sent).toHaveLength(1);
  });
});

it('a raw request passes the failed response to its callback', async () => {
  const answer = { status: 404, headers: { 'x-id': '7' }, text: '{}', retryAfter: null };
  const { client } = clientAt(0, 1e9, async () => answer);
  const given: unknown[] = [];
  const raw = client.raw({ endpoint: 'exchange-coin' }, (failed) => given.push(failed.headers['x-id']));
  await expect(raw).rejects.toMatchObject({ code: 'not_found' });
  expect(given).toEqual(['7']);
});

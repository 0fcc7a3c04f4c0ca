import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { CREATE } from '../swap/requests.ts';
import { clientOfReplies, NOW } from './test-client.ts';

describe('a create near the end of --timeout', () => {
  const good = { status: 201, text: '{"orderNumber":"A","status":9}' };

  it('is not sent once the time is up', async () => {
    const { client, sent } = clientOfReplies([good], { deadline: NOW });
    const unsent = { code: 'timeout', outcome: 'nothing-sent', retryable: true };
    await expect(client.create(CREATE)).rejects.toMatchObject(unsent);
    expect(sent).toEqual([]);
  });

  it('is not aborted once it was sent', async () => {
    const { client, sent } = clientOfReplies([good], { deadline: NOW + 1 });
    expect(await client.create(CREATE)).toMatchObject({ value: { order: 'A' } });
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([undefined]);
  });
});

describe('a refund address', () => {
  const unreachable = new TransportError('unreachable', false, 'ECONNREFUSED');

  it('that was never sent is not reported as possibly set', async () => {
    const { client, sent } = clientOfReplies([unreachable]);
    const unsent = { code: 'network_error', outcome: 'nothing-sent' };
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject(unsent);
    expect(sent).toHaveLength(3);
  });

  it('that was sent before a retry failed is reported as possibly set', async () => {
    const { client } = clientOfReplies([new TransportError('timeout', true), unreachable]);
    const unknown = { code: 'network_error', outcome: 'unknown', retryable: true };
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject(unknown);
  });

  it('that is rejected has the outcome refused', async () => {
    const { client, sent } = clientOfReplies([{ status: 404, text: '' }]);
    await expect(client.updateRefundAddress('A', 'b')).rejects.toMatchObject({ outcome: 'refused' });
    expect(sent).toHaveLength(1);
  });
});

it('a raw request passes the failed response to its callback', async () => {
  const { client } = clientOfReplies([{ status: 404, headers: { 'x-id': '7' } }]);
  const given: unknown[] = [];
  const raw = client.raw({ endpoint: 'exchange-coin' }, (failed) => given.push(failed.headers['x-id']));
  await expect(raw).rejects.toMatchObject({ code: 'not_found' });
  expect(given).toEqual(['7']);
});

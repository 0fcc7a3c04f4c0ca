import { getEventListeners } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { type CallRunner, callRunner, readConnection } from '../../src/library/connection.ts';
import { waitForSwap } from '../../src/library/status.ts';
import { createSwapClient } from '../../src/library/swap-client.ts';
import { startSandbox } from '../../src/library/testing.ts';
import { rawServer, sendJson } from '../helpers/raw-server.ts';
import { tamperingProxy } from '../helpers/tampering-proxy.ts';

const PAIR = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
const CREATE = { ...PAIR, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };
const INTERRUPTED = { name: 'InterruptedError', code: 'interrupted', outcome: 'nothing-sent' };

const sandbox = await startSandbox();
const proxy = await tamperingProxy(sandbox.baseUrl);
const client = createSwapClient({ ...sandbox, baseUrl: proxy.url });

afterAll(async () => {
  await proxy.close();
  await sandbox.close();
});

/** A connection that records its pauses and runs a function instead of waiting. */
function withoutPauses(during: (pause: number) => unknown) {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    await during(pauses.length);
  };
  const settings = readConnection({ ...sandbox, baseUrl: proxy.url });
  const connection: CallRunner = (call, work) =>
    callRunner(settings)(call, (ports) => work({ ...ports, sleep }));
  return { pauses, connection };
}

describe('waitFor', () => {
  it('polls as often as the command until the swap has ended', async () => {
    const created = await client.create(CREATE);
    const { connection, pauses } = withoutPauses(async (pause) => {
      if (pause === 2) await sandbox.deposit(created.order);
      if (pause >= 2) await sandbox.advance('2s');
    });
    const ended = await waitForSwap(connection, created);
    expect(ended).toMatchObject({ status: 'success', final: true, doubts: [], asked: created.asked });
    expect(pauses.slice(0, 3)).toEqual([30_000, 30_000, 10_000]);
  });

  it('ends at an `until` status, or when the swap ends without it', async () => {
    const created = await client.create(CREATE);
    await sandbox.deposit(created.order);
    const { connection } = withoutPauses(() => sandbox.advance('1s'));
    expect(await waitForSwap(connection, created.order, { until: ['exchanging', 'pause'] })).toMatchObject({
      status: 'exchanging',
      final: false,
    });
    expect(await waitForSwap(connection, created.order, { until: 'refund' })).toMatchObject({
      status: 'success',
    });
  });

  it('continues after a temporary failure and throws a permanent one', async () => {
    const created = await client.create(CREATE);
    await sandbox.deposit(created.order);
    await sandbox.advance('10m');
    proxy.tamper('get-transaction', () => ({ bytes: '' }));
    const { connection, pauses } = withoutPauses(() => proxy.leaveAll());
    expect(await waitForSwap(connection, created.order)).toMatchObject({ status: 'success' });
    expect(pauses).toEqual([10_000]);
    await expect(waitForSwap(connection, 'NO-SUCH-ORDER')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([{ until: 'paid' }, { until: ['success', 1] }, { until: 4 }, { signal: {} }, { timeout: 5 }])(
    'rejects the options %j',
    async (options) => {
      const given = options as object;
      await expect(client.waitFor('A1', given)).rejects.toMatchObject({ code: 'usage' });
    },
  );
});

describe('the signal of a library call', () => {
  it('ends every call before anything is sent if it is already aborted', async () => {
    const server = await rawServer((_, response) => sendJson(response, 200, {}));
    const own = createSwapClient({ ...sandbox, baseUrl: server.url });
    const options = { signal: AbortSignal.abort() };
    const calls = [
      own.coins(options),
      own.networks('BTC', options),
      own.quote(PAIR, options),
      own.create(CREATE, options),
      own.status('A1', options),
      own.waitFor('A1', options),
      own.setRefundAddress('A1', 'bc1', options),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject(INTERRUPTED);
    expect(server.requests).toEqual([]);
  });

  it('ends a request in progress and a pause between polls', async () => {
    const during = new AbortController();
    const server = await rawServer(() => during.abort());
    const own = createSwapClient({ ...sandbox, baseUrl: server.url });
    await expect(own.status('A1', during)).rejects.toMatchObject(INTERRUPTED);
    const created = await client.create(CREATE);
    const between = new AbortController();
    const waiting = client.waitFor(created, between);
    await expect.poll(() => getEventListeners(between.signal, 'abort').length).toBe(1);
    between.abort();
    await expect(waiting).rejects.toMatchObject(INTERRUPTED);
    expect(getEventListeners(between.signal, 'abort')).toEqual([]);
  });

  it('makes a create that has been sent throw outcome_unknown', async () => {
    const during = new AbortController();
    proxy.tamper('create-transaction', (answer) => {
      during.abort();
      return answer;
    });
    const created = client.create(CREATE, { signal: during.signal });
    await expect(created).rejects.toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
    proxy.leaveAll();
  });
});

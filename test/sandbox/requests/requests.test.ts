import { describe, expect, it } from 'vitest';
import { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import { createRequestRecorder } from '../../../src/sandbox/requests/recorder.ts';
import { MAX_KEPT, MAX_REQUESTS, type SeenRequest } from '../../../src/sandbox/requests/request.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import {
  admin,
  call,
  freshFile,
  NEW_SWAP,
  newOrder,
  openState,
  sandboxForTest,
  type TestSandbox,
  testSandbox,
} from '../sandbox.ts';

const SEEN: SeenRequest = {
  at: Date.UTC(2026, 0, 1),
  partner: 'default',
  method: 'GET',
  endpoint: 'exchange-coin',
  url: '/api/private/exchange-coin?amount=1',
  body: null,
  status: 200,
  answer: '{}',
  ms: 3,
  fault: null,
  credentials: [],
};

/** The request log from the admin port, with every request answered so far. */
const logged = (sandbox: TestSandbox, query = '') => admin(sandbox, 'GET', `/requests${query}`);

describe.each(BOTH_DATABASES)('the request log on $kind', ({ fresh }) => {
  it('contains requests, responses and faults, and can be filtered', async () => {
    const sandbox = await sandboxForTest({ database: await fresh(), keepsRequests: true, adminPort: 0 });
    const order = await newOrder(sandbox);
    await call(sandbox, 'get-transaction', { id: 'NOSUCH' });
    await fetch(`${sandbox.url}/api/privat/quote?x=1`);
    await sandbox.operator.faults.add({ endpoint: 'get-coin-network', drop: 'after' });
    await expect(call(sandbox, 'get-coin-network', { coin: 'BTC' })).rejects.toThrow('fetch failed');
    const { json } = await logged(sandbox);
    const sent = { at: '2026-01-01T00:00:00.000Z', partner: 'default', method: 'POST', ms: 0, fault: null };
    const created = { ...sent, endpoint: 'create-transaction', status: 201 };
    expect(json).toMatchObject([
      {
        id: 1,
        ...created,
        path: '/api/private/create-transaction',
        query: '',
        body: JSON.stringify(NEW_SWAP),
      },
      { id: 2, endpoint: 'get-transaction', query: 'id=NOSUCH', status: 404, body: null },
      { id: 3, partner: null, endpoint: null, path: '/api/privat/quote', query: 'x=1', status: 404 },
      { id: 4, endpoint: 'get-coin-network', query: 'coin=BTC', status: null, answer: null, fault: 1 },
    ]);
    expect(JSON.parse(json[0].answer).orderNumber).toBe(order);
    expect(json[1].answer).toBe('{"statusCode":404,"message":"Transaction not found or access denied"}');
    const ids = async (query: string) =>
      (await logged(sandbox, query)).json.map(({ id }: { id: number }) => id);
    expect(await ids('?status=4xx')).toEqual([2, 3]);
    expect(await ids('?status=201')).toEqual([1]);
    expect(await ids('?endpoint=get-transaction')).toEqual([2]);
    expect(await ids('?partner=nobody')).toEqual([]);
    expect(await ids('?limit=2')).toEqual([3, 4]);
    expect(await ids('?after=3')).toEqual([4]);
    expect((await logged(sandbox, '?status=6xx')).status).toBe(400);
    expect((await logged(sandbox, '?endpoint=quote')).status).toBe(400);
  });

  it('keeps the requests of a stopped server until a reset, after which its ids continue', async () => {
    const database = await fresh();
    const first = await testSandbox({ database, keepsRequests: true });
    await call(first, 'get-all-coins');
    await first.stop();
    const second = await sandboxForTest({ database, keepsRequests: true, adminPort: 0 });
    expect((await second.operator.requests()).map(({ id }) => id)).toEqual([1]);
    await second.operator.reset();
    expect(await second.operator.requests()).toEqual([]);
    await call(second, 'get-all-coins');
    expect((await logged(second)).json).toMatchObject([{ id: 2, endpoint: 'get-all-coins' }]);
  });

  it('keeps a maximum number of requests and of characters per text', async () => {
    const location = await fresh();
    const sandbox = await sandboxForTest({ database: location });
    const database = await openState(location);
    const recorder = createRequestRecorder(database.outside(), async () => []);
    recorder.add({ ...SEEN, answer: 'x'.repeat(MAX_KEPT + 1) });
    await recorder.flush();
    expect((await sandbox.operator.requests())[0]?.answer).toBe(`${'x'.repeat(MAX_KEPT)}…`);
    for (let index = 0; index < MAX_REQUESTS + 50; index += 1) recorder.add({ ...SEEN, ms: index });
    await recorder.flush();
    const kept = await sandbox.operator.requests();
    expect(kept).toHaveLength(MAX_REQUESTS);
    expect([kept[0]?.ms, kept.at(-1)?.ms]).toEqual([50, MAX_REQUESTS + 49]);
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual([52, MAX_REQUESTS + 51]);
    await database.close();
  });
});

it('the request log drops requests while its database is locked, without an error', async () => {
  const location = freshFile();
  const sandbox = await sandboxForTest({ database: location });
  const database = await openState(location);
  const recorder = createRequestRecorder(database.outside(10), async () => []);
  const other = new DatabaseSync(location);
  other.exec('begin exclusive');
  recorder.add(SEEN);
  await recorder.flush();
  other.close();
  recorder.add({ ...SEEN, status: 404 });
  await recorder.flush();
  expect(await sandbox.operator.requests()).toMatchObject([{ id: 1, status: 404 }]);
  await database.close();
});

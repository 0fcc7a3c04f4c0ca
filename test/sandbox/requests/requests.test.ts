import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { createRequestRecorder } from '../../../src/sandbox/requests/recorder.ts';
import {
  type LoggedRequest,
  MAX_KEPT,
  MAX_REQUESTS,
  type SeenRequest,
} from '../../../src/sandbox/requests/request.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import {
  admin,
  call,
  ETH_ADDRESS,
  freshFile,
  NEW_SWAP,
  newOrder,
  openState,
  postTo,
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

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PRIVATE_KEY = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
const FOREIGN_KEY = '4f1c'.repeat(16);

const sandbox = await testSandbox({ keepsRequests: true });
afterAll(() => sandbox.stop());

/** The last request in the log once it is the one that is waited for. */
async function lastLogged(isIt: (last: LoggedRequest) => boolean): Promise<LoggedRequest> {
  for (;;) {
    const last = (await sandbox.operator.requests()).at(-1);
    if (last !== undefined && isIt(last)) return last;
    await pause(5);
  }
}

let count = 0;
const marker = () => `mark-${count}`;

/** Sends a request to an unknown path and returns its log entry. */
async function loggedPath(rest: string, headers: Record<string, string> = {}): Promise<LoggedRequest> {
  count += 1;
  await fetch(`${sandbox.url}/${marker()}${rest}`, { headers });
  return lastLogged(({ path }) => path.includes(marker()));
}

describe('the request log redacts', () => {
  it.each([
    ['the secret of a partner in a query', () => `?x=${sandbox.credentials.secret}`, 'x=<redacted>'],
    ['the secret in capitals', () => `?x=${sandbox.credentials.secret.toUpperCase()}`, 'x=<redacted>'],
    ['the key of a partner in a query', () => `?k=a-${sandbox.credentials.publicKey}`, 'k=<redacted>'],
    ['a signature', () => `?s=${sign('exchange-coin', sandbox.credentials.secret)}&a=1`, 's=<redacted>&a=1'],
    ['a value named secret', () => '?api_secret=hunter2&amount=1', 'api_secret=<redacted>&amount=1'],
    ['a value whose encoded name says secret', () => '?%73ecret=hunter2hunter2', '%73ecret=<redacted>'],
    ['a seed phrase', () => `?memo=${encodeURIComponent(PHRASE)}&a=1`, 'memo=<redacted>&a=1'],
    ['a seed phrase with plus signs', () => `?memo=${PHRASE.replaceAll(' ', '+')}`, '<redacted>'],
    ['a private key given as an address', () => `?refundAddress=${PRIVATE_KEY}`, 'refundAddress=<redacted>'],
    ['a key of another service', () => `?x=${FOREIGN_KEY}`, 'x=<redacted>'],
  ])('%s', async (_what, rest, query) => expect((await loggedPath(rest())).query).toBe(query));

  it('a secret in a path, plain or encoded', async () => {
    const { secret } = sandbox.credentials;
    expect((await loggedPath(`/${secret}/x`)).path).toBe(`/${marker()}/<redacted>/x`);
    const encoded = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const { id } = await loggedPath('');
    await fetch(`${sandbox.url}/x/${encoded}`);
    await expect
      .poll(() => sandbox.operator.requests({ after: id }))
      .toMatchObject([{ path: '/x/<redacted>' }]);
  });

  it('the values of credential headers in the query', async () => {
    const headers = { 'x-api-public-key': 'my-live-key-1', authorization: 'Bearer abc.def-123' };
    const { query } = await loggedPath('?a=my-live-key-1&b=Bearer%20abc.def-123&c=3', headers);
    expect(query).toBe('a=<redacted>&b=<redacted>&c=3');
  });
});

describe('a body in the request log', () => {
  async function loggedBody(body: string): Promise<LoggedRequest> {
    const before = (await sandbox.operator.requests()).at(-1)?.id ?? 0;
    await postTo(sandbox, body);
    return lastLogged(({ id }) => id > before);
  }

  it('is unchanged if it contains no secret', async () => {
    const body = '{ "receiveAddress" : "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "depositAmount": 0.10 }';
    expect((await loggedBody(body)).body).toBe(body);
  });

  it.each([
    ['under its name', () => '{"secret":"abc","amount":"1"}', '{"secret":"<redacted>","amount":"1"}'],
    ['as a number', () => '{"apiToken":12345,"a":1}', '{"apiToken":"<redacted>","a":1}'],
    ['given as a memo', () => `{"memo":"${PHRASE}"}`, '{"memo":"<redacted>"}'],
    ['as a name', () => `{"${FOREIGN_KEY}":1}`, '{"<redacted>":1}'],
    ['written with escapes', () => `{"memo":"${PHRASE.replace('l', '\\u006c')}"}`, '<redacted>'],
    ['under a name with escapes', () => '{"s\\u0065cret":"abc"}', '{"s\\u0065cret":"<redacted>"}'],
    ['in a list', () => '{"secret":["abc",{"x":7}]}', '{"secret":["<redacted>",{"x":"<redacted>"}]}'],
    ['only under its name', () => '{"secret":["abc"],"a":[1]}', '{"secret":["<redacted>"],"a":[1]}'],
    ['in broken JSON', () => `{"memo":"${sandbox.credentials.secret}`, '{"memo":"<redacted>'],
    ['in a form', () => 'password=hunter2&a=1', 'password=<redacted>&a=1'],
    ['inside a sentence', () => `my phrase: ${PHRASE}`, '<redacted>'],
  ])('has a secret redacted %s', async (_where, body, kept) => {
    expect((await loggedBody(body())).body).toBe(kept);
  });

  it('has a secret redacted that the response repeats', async () => {
    const logged = await loggedBody(JSON.stringify({ ...NEW_SWAP, lastSource: FOREIGN_KEY }));
    expect(logged.body).toContain('"lastSource":"<redacted>"');
    expect(logged.answer).not.toContain(FOREIGN_KEY);
  });
});

it('the request log without addresses hides addresses and memos in requests and responses, but keeps orders and endpoints', async () => {
  const order = await newOrder(sandbox, {
    refundAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    memo: 'MEMO77',
  });
  await call(sandbox, 'get-transaction', { id: order });
  await call(sandbox, 'create-transaction', { ...NEW_SWAP, memo: 'MEMO77', receiveCoin: 'NOSUCH' });
  const requests = async (hidesAddresses: boolean) => sandbox.operator.requests({ hidesAddresses, limit: 3 });
  await expect.poll(async () => (await requests(false)).at(-1)?.body).toContain('NOSUCH');
  const text = JSON.stringify(await requests(true));
  const deposit = (await sandbox.operator.orders.list())[0]?.deposit.address;
  expect(JSON.stringify(await requests(false))).toContain(deposit);
  for (const hidden of [ETH_ADDRESS, '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'MEMO77', deposit])
    expect(text).not.toContain(hidden);
  expect(text).toContain(order);
  expect(text).toContain('NOSUCH');
  expect(text).toContain('create-transaction');
});

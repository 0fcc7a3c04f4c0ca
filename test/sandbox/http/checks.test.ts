import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES } from '../../../src/core/partner-api/endpoints.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import { call, NEW_SWAP, postTo, readAnswer, testSandbox } from '../sandbox.ts';

const sandbox = await testSandbox();
afterAll(() => sandbox.stop());

const missing = (name: string): readonly string[] => [
  `${name} should not be null or undefined`,
  `${name} must be a string`,
  `${name} should not be empty`,
];
const notNumber = (name: string): string =>
  `${name} must be a number conforming to the specified constraints`;
const SIDES = 'lastSource must be one of the following values: deposit, receive';
const TYPES = 'typeSwap must be one of the following values: 1, 2';

describe('the credentials of a request', () => {
  it('are checked in the order key, payload, signature, each with its own message, on every endpoint', async () => {
    for (const endpoint of ENDPOINT_NAMES) {
      const message = async (headers: Record<string, string>) =>
        (await call(sandbox, endpoint, {}, headers)).json.message;
      const nothing = { 'x-api-payload': 'nonsense', 'x-api-signature': 'nonsense' };
      expect(await message({ ...nothing, 'x-api-public-key': 'nobody' })).toBe('Invalid public key.');
      expect(await message({ ...nothing, 'x-api-public-key': '' })).toBe('Invalid public key.');
      expect(await message(nothing)).toBe('Invalid payload.');
      const other = endpoint === 'exchange-coin' ? 'get-transaction' : 'exchange-coin';
      expect(await message({ 'x-api-payload': other })).toBe('Invalid payload.');
      expect(await message({ 'x-api-signature': 'ab'.repeat(64) })).toBe('Invalid signature.');
    }
  });

  it('are rejected if a header is missing or repeated', async () => {
    const bare = await readAnswer(await fetch(`${sandbox.url}/api/private/get-all-coins`));
    expect([bare.status, bare.text]).toEqual([403, '{"statusCode":403,"message":"Invalid public key."}']);
    const { publicKey } = sandbox.credentials;
    const twice = { 'x-api-public-key': `${publicKey}, ${publicKey}` };
    expect((await call(sandbox, 'get-all-coins', {}, twice)).json.message).toBe('Invalid public key.');
  });

  it('are rejected once their partner is removed', async () => {
    const credentials = await sandbox.operator.partners.add('short-lived');
    const read = () => call({ ...sandbox, credentials }, 'get-all-coins');
    expect((await read()).status).toBe(200);
    await sandbox.operator.partners.remove('short-lived');
    expect((await read()).json.message).toBe('Invalid public key.');
  });
});

it('missing parameters are listed with every message that applies', async () => {
  const body = async (endpoint: Parameters<typeof call>[1]) => {
    const { status, json } = await call(sandbox, endpoint);
    expect([status, json.statusCode, json.error]).toEqual([400, 400, 'Bad Request']);
    return json.message;
  };
  expect(await body('get-transaction')).toEqual(missing('id'));
  expect(await body('get-coin-network')).toEqual(missing('coin'));
  expect(await body('exchange-coin')).toEqual([
    ...missing('amount'),
    ...missing('coinFrom'),
    ...missing('coinTo'),
    'lastSource should not be null or undefined',
    SIDES,
    'typeSwap should not be null or undefined',
    TYPES,
  ]);
  expect(await body('create-transaction')).toEqual([
    ...missing('depositCoin'),
    'depositAmount should not be null or undefined',
    notNumber('depositAmount'),
    ...missing('depositNetwork'),
    ...missing('receiveAddress'),
    ...missing('receiveCoin'),
    ...missing('receiveNetwork'),
    'typeSwap should not be null or undefined',
    TYPES,
    'lastSource should not be null or undefined',
    SIDES,
  ]);
  expect(await body('update-refund-address')).toEqual([...missing('id'), ...missing('refundAddress')]);
});

describe('parameters of a query', () => {
  const texts = async (endpoint: Parameters<typeof call>[1], parameters: Record<string, unknown>) =>
    (await call(sandbox, endpoint, parameters)).json.message;

  it('of type number must be a number within their limits', async () => {
    for (const page of ['abc', '1,5', '0x1', '', 'NaN', 'Infinity', ' 1', '1.5', '-0.5', '1e-1'])
      expect(await texts('get-all-coins', { page })).toEqual([notNumber('page')]);
    expect(await texts('get-all-coins', { page: '0', limit: '101' })).toEqual([
      'page must not be less than 1',
      'limit must not be greater than 100',
    ]);
    expect(await texts('get-all-coins', { page: '-1', limit: '0' })).toEqual([
      'page must not be less than 1',
      'limit must not be less than 1',
    ]);
    for (const limit of ['100', '1.0', '1e2'])
      expect(await texts('get-all-coins', { limit })).toBeUndefined();
  });

  it('with choices must be one of them', async () => {
    const methods = 'method must be one of the following values: 1, 2';
    for (const method of ['3', 'abc', ''])
      expect(await texts('get-all-coins', { method })).toEqual([methods]);
    const quote = { coinFrom: 'BTC', coinTo: 'ETH', amount: '1' };
    for (const [lastSource, typeSwap] of Object.entries({ foo: 'abc', '': '3', Deposit: '' }))
      expect(await texts('exchange-coin', { ...quote, lastSource, typeSwap })).toEqual([SIDES, TYPES]);
  });

  it('must be given once, in valid UTF-8 and without NUL', async () => {
    const headers = authHeaders('get-transaction', sandbox.credentials);
    const send = async (query: string) =>
      (await readAnswer(await fetch(`${sandbox.url}/api/private/get-transaction?${query}`, { headers }))).json
        .message;
    expect(await send('id=A&id=B')).toEqual(['id must be a string']);
    expect(await send('id=A%00B')).toEqual(['id must be a string']);
    expect(await send('id=')).toEqual(['id should not be empty']);
    expect(await send('ID=AAAAAA')).toEqual(missing('id'));
    expect(await send('id=%E0%A4%A')).toEqual(['query must be valid UTF-8']);
    expect(await send('__proto__=1&constructor=2&id=AAAAAA')).toBe('Transaction not found or access denied');
  });

  it('accept an amount in exactly the forms of a JSON number', async () => {
    const quote = { coinFrom: 'BTC', coinTo: 'ETH', lastSource: 'deposit', typeSwap: '1' };
    expect((await call(sandbox, 'exchange-coin', { ...quote, amount: '1e-1' })).json.amount).toBe(0.1);
    for (const amount of ['1,5', '+1', '.5', '1.', '0x10', 'ten', '1e999999999', '٣'])
      expect(await texts('exchange-coin', { ...quote, amount })).toEqual([notNumber('amount')]);
    expect(await texts('exchange-coin', { ...quote, amount: '' })).toEqual(['amount should not be empty']);
  });

  it('that are unknown are ignored', async () => {
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC', colour: 'red' })).status).toBe(200);
  });
});

describe('parameters of a body', () => {
  const texts = async (changes: Record<string, unknown>) =>
    (await call(sandbox, 'create-transaction', { ...NEW_SWAP, ...changes })).json.message;

  it('must be of their JSON type', async () => {
    expect(await texts({ depositAmount: '0.1' })).toEqual([notNumber('depositAmount')]);
    expect(await texts({ depositAmount: true })).toEqual([notNumber('depositAmount')]);
    const tooLittle = 'Amount to swap is below the possible min amount to swap';
    expect(await texts({ depositAmount: -1 })).toBe(tooLittle);
    for (const typeSwap of [3, 'abc', 1.5, [1]]) expect(await texts({ typeSwap })).toEqual([TYPES]);
    expect(await texts({ depositCoin: 5, memo: {}, refundAddress: ['a'] })).toEqual([
      'depositCoin must be a string',
      'refundAddress must be a string',
      'memo must be a string',
    ]);
    expect(await texts({ depositCoin: '' })).toEqual(['depositCoin should not be empty']);
    expect(await texts({ typeSwap: '1' })).toEqual([TYPES]);
    expect(await texts({ lastSource: 'middle' })).toEqual([SIDES]);
    for (const memo of ['a\u0000b', '\ud83d', '\ude00\ud83d'])
      expect(await texts({ memo })).toEqual(['memo must be a string']);
    expect(await texts({ memo: '\ud83d\ude00' })).toBeUndefined();
    expect(await texts({ memo: null, refundAddress: '' })).toBeUndefined();
    expect(await texts({ depositAmount: 0.123456789 })).toEqual([notNumber('depositAmount')]);
  });

  it('are rejected with their own message unless the body is a JSON object', async () => {
    const send = async (body: string) => (await postTo(sandbox, body)).json;
    for (const [body, text] of [
      ...['{', '['.repeat(5000)].map((each) => [each, 'body must be valid JSON'] as const),
      ...['null', '[]', '"text"'].map((each) => [each, 'body must be a JSON object'] as const),
    ])
      expect(await send(body)).toEqual({ statusCode: 400, message: [text], error: 'Bad Request' });
    const huge = JSON.stringify(NEW_SWAP).replace('0.1', '1e400');
    expect((await send(huge)).message).toBe('Amount to swap is higher the possible max amount to swap');
    const nano = JSON.stringify({ ...NEW_SWAP, depositCoin: 'XNO', depositNetwork: 'XNO' });
    const precise = nano.replace('0.1', '20.123456789012345678901234567891');
    expect((await send(precise)).statusCode).toBeUndefined();
  });
});

it('a path or method that no endpoint has is not found', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/api/private/'],
    ['GET', '/api/private/nothing'],
    ['POST', '/api/private/get-all-coins'],
    ['GET', '/api/private/create-transaction'],
    ['DELETE', '/api/private/get-transaction'],
    ['GET', '/api/private/get-all-coins/'],
    ['GET', '/API/PRIVATE/GET-ALL-COINS'],
  ]) {
    const answer = await readAnswer(await fetch(`${sandbox.url}${path}`, { method: method ?? 'GET' }));
    expect([answer.status, answer.text]).toEqual([404, '{"statusCode":404,"message":"Not found."}']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  }
});

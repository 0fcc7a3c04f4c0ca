import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../../src/core/partner-api/endpoints.ts';
import { parseJson } from '../../../src/core/partner-api/json.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { call, ETH_ADDRESS, NEW_SWAP, newOrder, QUOTE, testSandbox } from '../sandbox.ts';

const [sandbox, small] = [await testSandbox(), await testSandbox({ catalogue: smallCatalogue() })];
afterAll(() => Promise.all([sandbox.stop(), small.stop()]));

describe('get-all-coins and get-coin-network', () => {
  const codes = async (filter: Record<string, unknown>): Promise<readonly string[]> => {
    const { json } = await call(small, 'get-all-coins', filter);
    return (json.depositCoins ?? json.withdrawCoins).map((coin: { subName: string }) => coin.subName);
  };

  it('list twenty coins that can be deposited by default', async () => {
    const { json } = await call(sandbox, 'get-all-coins');
    expect(json.depositCoins).toHaveLength(20);
    expect(json.pagination.pageCount).toBe(Math.ceil(json.pagination.totalCount / 20));
    const networks = { deposits: [{ subName: 'BTC', memoNeeded: false }] };
    expect((await call(small, 'get-all-coins', { limit: 1 })).json).toEqual({
      pagination: { pageCount: 5, totalCount: 5 },
      depositCoins: [{ image: expect.any(String), subName: 'BTC', name: 'Bitcoin', networks }],
    });
  });

  it('return pages without gaps or repeats, and an empty page after the last', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => codes({ page, limit: 2 })));
    expect(pages).toEqual([['BTC', 'ETH'], ['DOGE', 'XRP'], ['IN'], []]);
    expect((await call(small, 'get-all-coins', { page: 9, limit: 2 })).json.pagination.pageCount).toBe(3);
    const { pagination } = (await call(small, 'get-all-coins', { search: 'nothing' })).json;
    expect(pagination).toEqual({ pageCount: 0, totalCount: 0 });
  });

  it('search names and codes for literal text in any letter case', async () => {
    expect(await codes({ search: 'COIN' })).toEqual(['BTC', 'DOGE']);
    expect(await codes({ search: 'xrp' })).toEqual(['XRP']);
    expect(await codes({ search: '(out)', method: 2 })).toEqual(['OUT']);
    for (const search of ['.*', '%', '_', '(a+)+$', '\\', "' or 1=1 --"])
      expect(await codes({ search })).toEqual([]);
  });

  it('filter by coin and network on both sides', async () => {
    expect(await codes({ depositCoin: 'eth' })).toEqual(['ETH']);
    expect(await codes({ depositNetwork: 'bsc' })).toEqual(['DOGE']);
    expect(await codes({ method: 2, receiveNetwork: 'BSC' })).toEqual([]);
    expect(await codes({ method: 2, receiveNetwork: 'ETH' })).toEqual(['ETH', 'OUT']);
    expect(await codes({ receiveCoin: 'BTC' })).toEqual(['ETH', 'DOGE', 'XRP', 'IN']);
    expect(await codes({ receiveCoin: 'ETH' })).toContain('ETH');
  });

  it('list the networks of a coin on both sides, and report an unknown coin', async () => {
    expect((await call(small, 'get-coin-network', { coin: 'doge' })).json).toEqual({
      deposit: [{ subName: 'DOGE' }, { subName: 'BSC' }],
      withdraws: [{ subName: 'DOGE' }],
    });
    expect((await call(small, 'get-coin-network', { coin: 'OUT' })).json.deposit).toEqual([]);
    const unknown = await call(small, 'get-coin-network', { coin: 'NOPE' });
    expect(unknown.text).toBe('{"statusCode":404,"message":"Not found."}');
  });
});

describe('exchange-coin', () => {
  it('returns a price with all digits of its numbers', async () => {
    const { text, json } = await call(sandbox, 'exchange-coin', QUOTE);
    expect(Object.keys(json)).toEqual('pair amount exchangeRate receive minAmount maxAmount'.split(' '));
    expect(json.pair).toBe('BTC_ETH');
    expect(/"exchangeRate":(\d+\.\d+)/.exec(text)?.[1]).toMatch(/^\d+\.\d{14,}$/);
    expect(parseJson(text)).toMatchObject({ amount: { value: '0.1' } });
  });

  it('accepts its limits and rejects amounts outside them', async () => {
    const { json } = await call(sandbox, 'exchange-coin', QUOTE);
    const message = async (amount: string) =>
      (await call(sandbox, 'exchange-coin', { ...QUOTE, amount })).json.message;
    for (const limit of [json.minAmount, json.maxAmount])
      expect(await message(String(limit))).toBeUndefined();
    for (const amount of ['0.00000001', '0', '-1'])
      expect(await message(amount)).toBe('Amount to swap is below the possible min amount to swap');
    expect(await message('1000000')).toBe('Amount to swap is higher the possible max amount to swap');
    const notNumber = 'amount must be a number conforming to the specified constraints';
    expect(await message('0.123456789')).toEqual([notNumber]);
  });

  it('returns a price that changes with time only', async () => {
    const first = await call(sandbox, 'exchange-coin', QUOTE);
    expect((await call(sandbox, 'exchange-coin', QUOTE)).text).toBe(first.text);
    sandbox.clock.pass(3_600_000);
    expect((await call(sandbox, 'exchange-coin', QUOTE)).text).not.toBe(first.text);
  });
});

describe('create-transaction', () => {
  it('creates an order at the quoted price with its own deposit address', async () => {
    const quote = await call(sandbox, 'exchange-coin', QUOTE);
    const answer = await call(sandbox, 'create-transaction', { ...NEW_SWAP, memo: 'm', refundAddress: 'r' });
    expect(answer.status).toBe(201);
    const { json } = answer;
    expect(json.orderNumber).toMatch(/^[A-Z]{6}$/);
    const begun = { status: 9, txId: '', confirmation: null, riskScore: null };
    expect(json).toMatchObject({ ...begun, type: { typeSwap: 2 } });
    expect(json.pairs.deposit).toMatchObject({
      coin: { name: 'BTC', value: 0.1, network: 'BTC', fullName: 'Bitcoin' },
      address: expect.stringMatching(/^tb1/),
      memo: '',
    });
    expect(json.pairs.receive).toMatchObject({
      coin: { value: quote.json.receive },
      address: ETH_ADDRESS,
      memo: 'm',
    });
    expect(json).not.toHaveProperty('createdAt');
    const other = await call(sandbox, 'create-transaction', NEW_SWAP);
    expect(other.json.orderNumber).not.toBe(json.orderNumber);
    expect(other.json.pairs.deposit.address).not.toBe(json.pairs.deposit.address);
  });

  it('accepts only valid payout addresses, of the main network or a test network', async () => {
    const pair = { depositCoin: 'ETH', depositNetwork: 'ETH', receiveCoin: 'BTC', receiveNetwork: 'BTC' };
    const to = (receiveAddress: string) =>
      call(sandbox, 'create-transaction', { ...NEW_SWAP, ...pair, receiveAddress });
    const main = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    for (const address of [main, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'])
      expect((await to(address)).status).toBe(201);
    for (const address of [main.replace(/4$/, '5'), ETH_ADDRESS, 'hello', '💥'])
      expect((await to(address)).text).toBe('{"statusCode":400,"message":"Invalid withdrawal address."}');
  });
});

describe('update-refund-address', () => {
  it('sets the refund address, and replaces it after the order has ended', async () => {
    const id = await newOrder(sandbox);
    expect((await call(sandbox, 'update-refund-address', { id, refundAddress: 'one' })).json).toEqual({
      message: 'Refund address updated successfully',
      orderNumber: id,
      newRefundAddress: 'one',
    });
    await sandbox.operator.orders.deposit(id);
    await sandbox.operator.orders.move(id, 'succeed');
    await call(sandbox, 'update-refund-address', { id, refundAddress: 'two' });
    const [order] = await sandbox.operator.orders.list({ limit: 1 });
    expect(order).toMatchObject({ order: id, refundAddress: 'two' });
  });

  it('responds to an order of another partner as to an unknown one', async () => {
    const other = { ...sandbox, credentials: await sandbox.operator.partners.add('other') };
    const id = await newOrder(sandbox);
    for (const unknown of [id, 'AAAAAA', 'x', '🦊', `${id} `]) {
      const read = await call(other, 'get-transaction', { id: unknown });
      const write = await call(other, 'update-refund-address', { id: unknown, refundAddress: 'mine' });
      for (const answer of [read, write])
        expect(answer.text).toBe('{"statusCode":404,"message":"Transaction not found or access denied"}');
    }
    expect((await sandbox.operator.orders.list({ limit: 1 }))[0]?.refundAddress).toBeNull();
  });
});

afterAll(() => sandbox.stop());

async function head(endpoint: EndpointName, query: Readonly<Record<string, string>>): Promise<Response> {
  const url = `${sandbox.url}${endpointPath(endpoint)}?${new URLSearchParams(query)}`;
  return fetch(url, { method: 'HEAD', headers: authHeaders(endpoint, sandbox.credentials) });
}

describe('a HEAD request', () => {
  it.each<[EndpointName, Record<string, string>]>([
    ['get-all-coins', {}],
    ['get-all-coins', { limit: '0' }],
    ['get-coin-network', { coin: 'BTC' }],
    ['get-coin-network', { coin: 'NOPE' }],
    ['get-coin-network', {}],
    ['exchange-coin', QUOTE],
    ['exchange-coin', { ...QUOTE, amount: '0' }],
    ['get-transaction', { id: 'ABCDEF' }],
  ])('of %s with %o has the status and headers of its GET and no body', async (endpoint, query) => {
    const [bare, whole] = [await head(endpoint, query), await call(sandbox, endpoint, query)];
    expect([bare.status, await bare.text()]).toEqual([whole.status, '']);
    expect(bare.headers.get('content-type')).toBe(whole.headers.get('content-type'));
    expect(bare.headers.get('ratelimit-limit')).toBe(whole.headers.get('ratelimit-limit'));
  });

  it('is not found for an endpoint without GET', async () => {
    for (const endpoint of ['create-transaction', 'update-refund-address'] as const) {
      expect(ENDPOINTS[endpoint].method).not.toBe('GET');
      expect((await head(endpoint, {})).status).toBe(404);
    }
  });
});

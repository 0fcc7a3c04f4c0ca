import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HABIT_NAMES } from '../../../src/core/partner-api/habits.ts';
import { compareDecimals } from '../../../src/core/swap/amount.ts';
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { freshFile } from '../../sandbox/sandbox.ts';
import { CREATE } from '../swap/requests.ts';
import { clientOf, QUOTE, type TestClient } from './test-client.ts';

/** Asked without networks, above a maximum and for a coin that is not there, a service with these answers otherwise. */
const OTHERWISE = ['networks-required', 'no-maximum', 'unprocessable'];
const KINDS = {
  plain: new Set<never>(),
  rough: new Set(HABIT_NAMES.filter((name) => !OTHERWISE.includes(name))),
};

describe.each(Object.entries(KINDS))('with a %s sandbox', (_, habits) => {
  let sandbox: RunningSandbox;
  let client: TestClient;

  beforeAll(async () => {
    const rateLimit = { count: 10_000, windowSeconds: 60 };
    sandbox = await startSandbox({ database: freshFile(), rateLimit, habits });
    client = clientOf(sandbox.url, { credentials: sandbox.credentials });
  });

  afterAll(() => sandbox.close());

  it('the client lists coins in pages of at most 100', async () => {
    const page = await client.coins(1, 1);
    expect(page.pageCount).toBe(1);
    const networks = [{ network: 'BTC', memoRequired: false }];
    expect(page.coins[0]).toEqual({ code: 'BTC', name: 'Bitcoin', image: '/coins/btc.svg', networks });
    const payouts = (await client.coins(2, 1)).coins.map(({ code }) => code);
    expect(payouts).toContain('XAUT');
    expect(payouts).not.toContain('USDD');
  });

  it('the client lists the networks of a coin on each side', async () => {
    const networks = ['ETH', 'TRX', 'BSC'];
    expect(await client.coinNetworks('TUSD')).toEqual({ deposit: networks, receive: networks });
  });

  it('the client quotes a pair and returns the request with the quote', async () => {
    const request = { ...QUOTE, to: { coin: 'USDT', network: 'TRX' }, type: 'fixed' } as const;
    const quote = await client.quote(request);
    expect(quote).toMatchObject({ ...request, pair: 'BTC_USDT' });
    expect(compareDecimals(quote.min, '0.1')).toBe(-1);
    expect(compareDecimals(quote.max ?? '0', '0.1')).toBe(1);
  });

  it('the client creates a swap, reads it, and sets its refund address', async () => {
    const { value: created } = await client.create(CREATE);
    const begun = { status: 'new', statusCode: 9, final: false, createdAt: null };
    expect(created).toMatchObject({ ...begun, type: 'float' });
    const side = { coin: 'BTC', network: 'BTC', amount: '0.1' };
    expect(created.deposit).toMatchObject({ ...side, memo: null, txId: null });
    expect(created.receive).toMatchObject({ coin: 'ETH', address: CREATE.address, paidAmount: null });
    const { value: read } = await client.transaction(created.order);
    expect(read).toEqual({ ...created, createdAt: read.startedAt });
    const refundAddress = 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h';
    const value = { message: 'Refund address updated successfully', order: created.order, refundAddress };
    const updated = await client.updateRefundAddress(created.order, refundAddress);
    expect(updated).toEqual({ value, httpStatus: 200 });
  });
});

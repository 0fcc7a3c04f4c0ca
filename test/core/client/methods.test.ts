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
    sandbox = await startSandbox({
      database: freshFile(),
      rateLimit: { count: 10_000, windowSeconds: 60 },
      habits,
    });
    client = clientOf(sandbox.url, { credentials: sandbox.credentials });
  });

  afterAll(() => sandbox.close());

  describe('the client', () => {
    it('lists coins in pages of at most 100', async () => {
      const page = await client.coins(1, 1);
      expect(page.pageCount).toBe(1);
      expect(page.coins[0]).toEqual({
        code: 'BTC',
        name: 'Bitcoin',
        image: '/coins/btc.svg',
        networks: [{ network: 'BTC', memoRequired: false }],
      });
      const payouts = (await client.coins(2, 1)).coins.map(({ code }) => code);
      expect(payouts).toContain('XAUT');
      expect(payouts).not.toContain('USDD');
    });

    it('lists the networks of a coin on each side', async () => {
      expect(await client.coinNetworks('TUSD')).toEqual({
        deposit: ['ETH', 'TRX', 'BSC'],
        receive: ['ETH', 'TRX', 'BSC'],
      });
    });

    it('quotes a pair and returns the request with the quote', async () => {
      const quote = await client.quote({ ...QUOTE, to: { coin: 'USDT', network: 'TRX' }, type: 'fixed' });
      expect(quote).toMatchObject({
        pair: 'BTC_USDT',
        type: 'fixed',
        lastSource: 'deposit',
        from: { coin: 'BTC', network: null },
        to: { coin: 'USDT', network: 'TRX' },
        amount: '0.1',
      });
      expect(compareDecimals(quote.min, '0.1')).toBe(-1);
      expect(compareDecimals(quote.max ?? '0', '0.1')).toBe(1);
    });

    it('creates a swap, reads it, and sets its refund address', async () => {
      const { value: created } = await client.create(CREATE);
      expect(created).toMatchObject({
        status: 'new',
        statusCode: 9,
        final: false,
        type: 'float',
        createdAt: null,
      });
      expect(created.deposit).toMatchObject({
        coin: 'BTC',
        network: 'BTC',
        amount: '0.1',
        memo: null,
        txId: null,
      });
      expect(created.receive).toMatchObject({ coin: 'ETH', address: CREATE.address, paidAmount: null });
      const { value: read } = await client.transaction(created.order);
      expect(read).toEqual({ ...created, createdAt: read.startedAt });
      const address = 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h';
      expect(await client.updateRefundAddress(created.order, address)).toEqual({
        value: {
          message: 'Refund address updated successfully',
          order: created.order,
          refundAddress: address,
        },
        httpStatus: 200,
      });
    });
  });
});

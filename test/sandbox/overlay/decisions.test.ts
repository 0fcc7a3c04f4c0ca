import { describe, expect, it } from 'vitest';
import type { HabitName } from '../../../src/core/partner-api/habits.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import type { Choices } from '../../../src/sandbox/habits/choices.ts';
import { overlaid, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import {
  call,
  freshFile,
  NEW_SWAP,
  QUOTE,
  type TestAnswer,
  type TestSandbox,
  testSandbox,
} from '../sandbox.ts';

async function withChoices(
  choices: object,
  use: (place: TestSandbox) => Promise<void>,
  habits: readonly HabitName[] = [],
): Promise<void> {
  const { bounds, ...decisions } = choices as Choices;
  const overlay = readOverlay(
    JSON.stringify({ decisions, habits, ...(bounds === undefined ? {} : { bounds }) }),
  );
  const place = await testSandbox({ ...overlaid(overlay, {}), rateLimit: { count: 1e6, windowSeconds: 60 } });
  try {
    await use(place);
  } finally {
    await place.stop();
  }
}

const statusAndMessage = ({ status, json }: TestAnswer) => [status, json.message];
const create = (place: TestSandbox, changes: object = {}) =>
  call(place, 'create-transaction', { ...NEW_SWAP, ...changes });

describe('an overlay', () => {
  it('sets the status of successful responses', () =>
    withChoices({ readStatus: 203, createStatus: 200, updateStatus: 202 }, async (place) => {
      const made = await create(place);
      const { orderNumber: id } = made.json;
      const updated = await call(place, 'update-refund-address', { id, refundAddress: 'x' });
      expect([made.status, updated.status]).toEqual([200, 202]);
      expect((await call(place, 'get-transaction', { id })).status).toBe(203);
    }));

  it('sets the default and maximum page size of the coin list', async () => {
    const coins = async (place: TestSandbox, query: object = {}) =>
      (await call(place, 'get-all-coins', { ...query })).json;
    await withChoices({ defaultLimit: 7, maxLimit: 10, overMaxLimit: 'cut' }, async (place) => {
      expect((await coins(place)).depositCoins).toHaveLength(7);
      const { depositCoins, pagination } = await coins(place, { limit: 500 });
      expect(depositCoins).toHaveLength(10);
      expect(pagination.pageCount).toBe(Math.ceil(pagination.totalCount / 10));
    });
    await withChoices({ maxLimit: 30 }, async (place) => {
      expect(statusAndMessage(await call(place, 'get-all-coins', { limit: 31 }))).toEqual([
        400,
        ['limit must not be greater than 30'],
      ]);
    });
    await withChoices({ maxLimit: null, defaultListing: 'receive' }, async (place) => {
      expect((await coins(place, { limit: 5000 })).withdrawCoins.length).toBeGreaterThan(30);
    });
    await withChoices({ defaultListing: 'refuse' }, async (place) => {
      expect((await call(place, 'get-all-coins')).status).toBe(400);
    });
  });

  it('sets the response to an unknown coin or pair', () =>
    withChoices(
      { unknownCoin: { status: 400, message: 'No coin' }, unknownPair: { status: 409, message: 'No pair' } },
      async (place) => {
        const other = { ...QUOTE, coinTo: 'NOPE' };
        expect(statusAndMessage(await call(place, 'get-coin-network', { coin: 'NOPE' }))).toEqual([
          400,
          'No coin',
        ]);
        expect(statusAndMessage(await call(place, 'exchange-coin', other))).toEqual([409, 'No pair']);
        expect(statusAndMessage(await create(place, { receiveCoin: 'NOPE' }))).toEqual([409, 'No pair']);
      },
      ['unprocessable'],
    ));

  it('sets which amounts are text, in spite of the habit text-amounts', () =>
    withChoices(
      { textAmounts: ['amount', 'pairs.deposit.coin.value'] },
      async (place) => {
        const quote = await call(place, 'exchange-coin', QUOTE);
        expect(quote.json).toMatchObject({ amount: '0.1', receive: expect.any(Number) });
        const { pairs } = (await create(place)).json;
        const { deposit, receive } = pairs;
        expect([typeof deposit.coin.value, typeof receive.coin.value]).toEqual(['string', 'number']);
        const text = await (await fetch(`${place.url}/openapi.json`)).text();
        const { schemas } = JSON.parse(text).components;
        expect(schemas.Quote.properties.amount.type).toBe('string');
        expect(schemas.Quote.properties.receive.type).toBe('number');
      },
      ['text-amounts'],
    ));

  it('sets which payloads are accepted', async () => {
    const update = { id: 'AAAAAA', refundAddress: 'x' };
    await withChoices({ refundPayload: 'update-refund' }, async (place) => {
      expect(statusAndMessage(await call(place, 'update-refund-address', update))).toEqual([
        403,
        'Invalid payload.',
      ]);
    });
    await withChoices({ otherPayload: 'accept' }, async (place) => {
      const other = authHeaders('exchange-coin', place.credentials);
      expect((await call(place, 'get-all-coins', {}, other)).status).toBe(200);
    });
  });

  it('sets the format of times and durations', async () => {
    const forms: [string, string, string, string][] = [
      ['seconds', 'seconds', '2026-01-01T00:00:00Z', '3'],
      ['offset', 'milliseconds', '2026-01-01T00:00:00+00:00', '3000'],
      ['plain', 'clock', '2026-01-01 00:00:00', '00:00:03'],
      ['unix', 'clock', '1767225600', '00:00:03'],
      ['unix-milliseconds', 'clock', '1767225600000', '00:00:03'],
    ];
    for (const [times, duration, start, lasted] of forms)
      await withChoices({ times, duration, payoutSentCode: 77 }, async (place) => {
        const { orderNumber: id } = (await create(place)).json;
        await place.operator.orders.deposit(id);
        place.clock.pass(3000);
        await place.operator.orders.move(id, 'succeed');
        const { swapTime, status } = (await call(place, 'get-transaction', { id })).json;
        expect([swapTime.start, swapTime.duration, status]).toEqual([start, lasted, 4]);
      });
  });

  it('sets the deposit window and the times of confirmations and exchange', () =>
    withChoices(
      { depositWindow: { float: '2m' }, confirmationTime: '1m', exchangeTime: '1h' },
      async (place) => {
        const { orderNumber: id, expiredAt } = (await create(place)).json;
        expect(expiredAt).toBe('2026-01-01T00:02:00.000Z');
        const fixed = (await create(place, { typeSwap: 1 })).json;
        expect(fixed.expiredAt).toBe('2026-01-01T00:20:00.000Z');
        await place.operator.orders.deposit(id);
        place.clock.pass(61_000);
        expect((await call(place, 'get-transaction', { id })).json.confirmation).toBe(1);
        place.clock.pass(59 * 60_000);
        expect((await call(place, 'get-transaction', { id })).json.status).toBe(3);
      },
      ['expired-at'],
    ));

  it('sets the fees', () =>
    withChoices({ fees: { float: '0', fixed: '0' } }, async (place) => {
      const rates = await Promise.all(
        ['1', '2'].map(async (typeSwap) => (await call(place, 'exchange-coin', { ...QUOTE, typeSwap })).text),
      );
      const [fixed, float] = rates.map((text) => /"exchangeRate":([0-9.]+)/.exec(text)?.[1]);
      expect(fixed).toBe(float);
    }));

  it('sets the words of messages', () =>
    withChoices(
      {
        boundsVerb: 'exchange',
        refundMessage: 'Done',
        validationTexts: { missing: '', string: '{field}: text, please', choice: '{field} of {values}' },
      },
      async (place) => {
        expect(
          statusAndMessage(await call(place, 'exchange-coin', { ...QUOTE, amount: '0.0000001' })),
        ).toEqual([400, 'Amount to exchange is below the possible min amount to exchange']);
        expect(statusAndMessage(await call(place, 'get-transaction'))).toEqual([
          400,
          ['id: text, please', 'id should not be empty'],
        ]);
        expect(
          statusAndMessage(await call(place, 'exchange-coin', { ...QUOTE, lastSource: 'both' })),
        ).toEqual([400, ['lastSource of deposit, receive']]);
        const { orderNumber: id } = (await create(place)).json;
        const updated = await call(place, 'update-refund-address', { id, refundAddress: 'x' });
        expect(updated.json.message).toBe('Done');
      },
    ));

  it('sets the maximum size of a body', () =>
    withChoices({ maxBodyBytes: 2000 }, async (place) => {
      expect((await create(place, { memo: 'x'.repeat(2000) })).status).toBe(413);
      expect((await create(place)).status).toBe(201);
    }));

  it('adds fields to responses, also in objects and lists', () =>
    withChoices(
      {
        extraFields: {
          'get-all-coins': { 'depositCoins[].rank': 1, 'pagination.page': 1, 'nowhere.at.all': 1 },
          'exchange-coin': { networkFee: '0.10', pair: 'another' },
        },
      },
      async (place) => {
        const { depositCoins, pagination, nowhere } = (await call(place, 'get-all-coins')).json;
        expect([depositCoins[0].rank, depositCoins.at(-1).rank, pagination.page, nowhere]).toEqual([
          ...[1, 1, 1, undefined],
        ]);
        const { networkFee, pair } = (await call(place, 'exchange-coin', QUOTE)).json;
        expect([networkFee, pair]).toEqual(['0.10', 'BTC_ETH']);
      },
    ));

  it('sets the limits of a pair, with networks before coins alone', () =>
    withChoices(
      {
        bounds: [
          { from: 'BTC', to: 'USDT', min: '0.0020', max: '0.5' },
          { from: 'BTC:BTC', to: 'USDT:TRX', min: '0.123456789', max: null },
        ],
      },
      async (place) => {
        const quote = (changes: object) =>
          call(place, 'exchange-coin', { ...QUOTE, coinTo: 'USDT', ...changes });
        expect((await quote({ networkTo: 'ETH' })).text).toContain('"minAmount":0.0020,"maxAmount":0.5}');
        expect((await quote({ networkTo: 'ETH', amount: '0.6' })).status).toBe(400);
        const wide = await quote({ networkTo: 'TRX', amount: '1000' });
        expect(wide.text).toContain('"minAmount":0.123456789,"maxAmount":0}');
        expect((await quote({ networkTo: 'TRX', amount: '0.12345678' })).status).toBe(400);
        expect((await quote({ networkTo: 'TRX', amount: '0.12345679' })).status).toBe(200);
      },
    ));

  it('sets the rate limit', async () => {
    const overlay = readOverlay('{"decisions":{"rateLimit":"1/60s"}}');
    const { rateLimit, ...options } = { ...overlaid(overlay, {}), rateLimit: undefined };
    const sandbox = await startSandbox({ database: freshFile(), ...options });
    const statuses = [await call(sandbox, 'get-all-coins'), await call(sandbox, 'get-all-coins')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    await sandbox.close();
  });
});

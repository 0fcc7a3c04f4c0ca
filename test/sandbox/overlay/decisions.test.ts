import { describe, expect, it } from 'vitest';
import type { HabitName } from '../../../src/core/partner-api/habits.ts';
import type { Choices } from '../../../src/sandbox/habits/choices.ts';
import { applyOverlay, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { call, freshFile, NEW_SWAP, QUOTE, sandboxForTest, type TestSandbox } from '../sandbox.ts';

async function withChoices(
  choices: object,
  use: (place: TestSandbox) => Promise<void>,
  habits: readonly HabitName[] = [],
): Promise<void> {
  const { bounds, ...decisions } = choices as Choices;
  const overlay = readOverlay(
    JSON.stringify({ decisions, habits, ...(bounds === undefined ? {} : { bounds }) }),
  );
  const place = await sandboxForTest({
    ...applyOverlay(overlay, {}),
    rateLimit: { count: 1e6, windowSeconds: 60 },
  });
  await use(place);
}

const create = (place: TestSandbox, changes: object = {}) =>
  call(place, 'create-transaction', { ...NEW_SWAP, ...changes });

describe('an overlay', () => {
  it('sets the default and maximum page size of the coin list', () =>
    withChoices({ defaultLimit: 7, maxLimit: 30 }, async (place) => {
      expect((await call(place, 'get-all-coins')).json.depositCoins).toHaveLength(7);
      const { status, json } = await call(place, 'get-all-coins', { limit: 31 });
      expect([status, json.message]).toEqual([400, ['limit must not be greater than 30']]);
    }));

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
    const { rateLimit, ...options } = { ...applyOverlay(overlay, {}), rateLimit: undefined };
    const sandbox = await startSandbox({ database: freshFile(), ...options });
    const statuses = [await call(sandbox, 'get-all-coins'), await call(sandbox, 'get-all-coins')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    await sandbox.close();
  });
});

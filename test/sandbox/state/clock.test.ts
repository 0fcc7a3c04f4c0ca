import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { call, newOrder, sandboxForTest, statusOf, type testSandbox } from '../sandbox.ts';

const start = (options: Parameters<typeof testSandbox>[0] = {}) =>
  sandboxForTest({ catalogue: smallCatalogue(), ...options });

describe('the clock of a sandbox', () => {
  it('rejects an advance that is not a positive whole number', async () => {
    const { operator } = await start();
    for (const milliseconds of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(operator.clock.advance(milliseconds)).rejects.toBeInstanceOf(UsageError);
  });

  it('cannot go beyond the year 2999', async () => {
    const sandbox = await start();
    const { operator, clock } = sandbox;
    const id = await newOrder(sandbox);
    const end = Date.UTC(3000, 0, 1);
    for (const milliseconds of [end - clock.now() + 1, Number.MAX_SAFE_INTEGER]) {
      const problem = expect(operator.clock.advance(milliseconds)).rejects;
      await problem.toMatchObject({ message: 'The clock cannot go beyond the year 2999.' });
    }
    expect((await operator.clock.read()).offset).toBe(0);
    expect((await operator.clock.advance(end - clock.now())).transitions).toMatchObject([{ to: 5 }]);
    await expect(operator.clock.advance(1)).rejects.toBeInstanceOf(UsageError);
    await newOrder(sandbox);
    await operator.clock.reset();
    expect((await call(sandbox, 'get-transaction', { id })).json.createdAt).toBe('1052-01-02T00:00:00.000Z');
    expect(await statusOf(sandbox, id)).toBe(5);
  });

  it('reports every transition of an advance in order', async () => {
    const sandbox = await start();
    const { operator, clock } = sandbox;
    const [paid, idle] = [await newOrder(sandbox), await newOrder(sandbox, { typeSwap: 1 })];
    await operator.orders.deposit(paid);
    const begin = clock.now();
    const { now, transitions } = await operator.clock.advance(30 * 60_000);
    expect(now).toBe(begin + 30 * 60_000);
    expect(transitions).toEqual([
      { order: paid, at: begin + 4000, from: 1, to: 3 },
      { order: paid, at: begin + 9000, from: 3, to: 12 },
      { order: paid, at: begin + 15_000, from: 12, to: 4 },
      { order: idle, at: begin + 20 * 60_000, from: 9, to: 5 },
    ]);
    expect([await statusOf(sandbox, paid), await statusOf(sandbox, idle)]).toEqual([4, 5]);
    expect((await operator.clock.advance(1)).transitions).toEqual([]);
  });

  it('has the real time after a reset, which changes no status', async () => {
    const sandbox = await start();
    const { operator, clock } = sandbox;
    const [paid, idle, waiting] = [await newOrder(sandbox), await newOrder(sandbox), await newOrder(sandbox)];
    await operator.clock.advance(25 * 60_000);
    await operator.orders.deposit(paid);
    await operator.clock.advance(5 * 60_000);
    await operator.orders.deposit(waiting);
    const statuses = () => Promise.all([paid, idle, waiting].map((id) => statusOf(sandbox, id)));
    expect(await statuses()).toEqual([4, 5, 1]);
    expect(await operator.clock.reset()).toEqual({ now: clock.now(), offset: 0, standsStill: false });
    expect(await statuses()).toEqual([4, 5, 1]);
    const { json } = await call(sandbox, 'get-transaction', { id: paid });
    expect(json.createdAt).toBe(new Date(clock.now() - 30 * 60_000).toISOString());
    clock.pass(4000);
    expect(await statusOf(sandbox, waiting)).toBe(3);
  });

  it('moves only by advance if it was started with clockStart', async () => {
    const sandbox = await start({ clockStart: 1000 });
    const { operator, clock } = sandbox;
    const id = await newOrder(sandbox, { typeSwap: 1 });
    clock.pass(3_600_000);
    expect(await statusOf(sandbox, id)).toBe(9);
    expect((await operator.clock.advance(20 * 60_000)).transitions).toHaveLength(1);
    expect(await operator.clock.read()).toEqual({ now: 1_201_000, offset: 1_200_000, standsStill: true });
    expect(await operator.clock.reset()).toEqual({ now: 1000, offset: 0, standsStill: true });
    expect(await statusOf(sandbox, id)).toBe(5);
  });
});

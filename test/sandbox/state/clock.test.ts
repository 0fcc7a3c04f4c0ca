import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { call, newOrder, sandboxForTest, statusOf, testClock, testSandbox } from '../sandbox.ts';

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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 2);

/** A system clock that can be set, and a monotonic one that cannot. */
function twoClocks() {
  const monotonic = testClock(0);
  let ahead = START;
  return {
    now: () => ahead + monotonic.now(),
    monotonic: monotonic.now,
    pass: monotonic.pass,
    set: (milliseconds: number) => (ahead += milliseconds),
  };
}

describe.each(BOTH_DATABASES)('a sandbox whose system clock is set back, on $kind', ({ fresh }) => {
  it('keeps its time, ends deposit windows, and shows operators the same time', async () => {
    const clock = twoClocks();
    const database = await fresh();
    const sandbox = await sandboxForTest({ database, now: clock.now, monotonic: clock.monotonic });
    const order = await newOrder(sandbox);
    clock.set(-DAY);
    clock.pass(HOUR);
    expect(await statusOf(sandbox, order)).toBe(5);
    const time = START + HOUR;
    expect((await sandbox.operator.clock.read()).now).toBe(time);
    expect((await sandbox.operator.orders.list())[0]).toMatchObject({ status: 5, since: START + HOUR / 2 });
    const other = await openOperator({ database, now: clock.now });
    expect((await other.clock.read()).now).toBe(time);
    await other.close();
  });

  it('corrects the clock once, even if several servers notice the change', async () => {
    const clock = twoClocks();
    const database = await fresh();
    const options = { database, now: clock.now, monotonic: clock.monotonic };
    const [one, two] = [await testSandbox(options), await testSandbox(options)];
    for (const each of [one, two]) await call(each, 'get-all-coins');
    clock.set(-DAY);
    clock.pass(5000);
    await Promise.all([one, two].map((each) => call(each, 'get-all-coins')));
    expect((await one.operator.clock.read()).now).toBe(START + 5000);
    await one.stop();
    await two.stop();
  });

  it('continues from its last time if no server was running', async () => {
    const clock = twoClocks();
    const database = await fresh();
    const sandbox = await testSandbox({ database, now: clock.now, monotonic: clock.monotonic });
    const order = await newOrder(sandbox);
    await sandbox.stop();
    clock.set(-DAY);
    clock.pass(HOUR);
    const next = await sandboxForTest({ database, now: clock.now, monotonic: clock.monotonic });
    expect((await next.operator.clock.read()).now).toBe(START);
    clock.pass(HOUR);
    expect(await statusOf(next, order)).toBe(5);
  });

  it('does not extend a rate limit window', async () => {
    const clock = twoClocks();
    const rateLimit = { count: 2, windowSeconds: 60 };
    const options = { database: await fresh(), now: clock.now, monotonic: clock.monotonic, rateLimit };
    const sandbox = await testSandbox(options);
    for (let index = 0; index < 2; index += 1) await call(sandbox, 'get-all-coins');
    clock.set(-DAY);
    expect((await call(sandbox, 'get-all-coins')).status).toBe(429);
    clock.pass(61_000);
    expect((await call(sandbox, 'get-all-coins')).status).toBe(200);
    await sandbox.stop();
    clock.set(-DAY);
    const answer = await call(await sandboxForTest(options), 'get-all-coins');
    expect([answer.status, answer.headers.get('ratelimit-reset')]).toEqual([200, '60']);
  });
});

import { describe, expect, it } from 'vitest';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import { call, newOrder, sandboxForTest, statusOf, testClock, testSandbox } from '../sandbox.ts';

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
    set: (milliseconds: number) => {
      ahead += milliseconds;
    },
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

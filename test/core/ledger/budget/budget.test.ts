import { describe, expect, it } from 'vitest';
import { bucketsInMemory, createBudget, storedBuckets } from '../../../../src/core/ledger/budget/budget.ts';
import type { Taker } from '../../../../src/core/ledger/budget/limit.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { openTables } from '../tables.ts';

const LIMIT = { requests: 20, durationMs: 60_000 };
const SILENT = { status: 200, limit: null, remaining: null, resetMs: null, retryAfterMs: null };

describe.each(BOTH_DATABASES)('the request budget of a key pair on $kind', ({ fresh }) => {
  /** Budgets of several processes on one ledger, with a clock that stands. */
  async function processes(count: number) {
    const location = await fresh();
    const clock = { now: 1_790_000_000_000 };
    const time = { now: () => clock.now };
    const first = await openTables(location);
    const databases = [first];
    while (databases.length < count) databases.push(await openTables(location));
    const budgetsOf = (key: string, taker: Taker = 'program') =>
      databases.map((database) => createBudget(key, LIMIT, storedBuckets(database), { ...time, taker }));
    const close = () => Promise.all(databases.map((each) => each.close()));
    return { clock, budgetsOf, kysely: first.kysely, close };
  }

  it('makes every process wait for a limit that one of them received', async () => {
    const { clock, budgetsOf, close } = await processes(2);
    const [one, two] = budgetsOf('a');
    await one?.observe({ ...SILENT, status: 429, retryAfterMs: 25_000 });
    expect(await two?.tryTake()).toBe(25_000);
    clock.now += 25_000;
    expect(await two?.tryTake()).toBe(0);
    await close();
  });

  it('starts over if its stored row is malformed', async () => {
    const { clock, budgetsOf, kysely, close } = await processes(1);
    const [budget] = budgetsOf('a');
    const spoilt = [
      { keepMs: null },
      { pace: '1' },
      { pacedAt: {} },
      { blockedUntil: [] },
      { at: true },
      { service: 7 },
      { service: {} },
      { service: { limit: 1, left: 1 } },
      { ceiling: { pace: 1 } },
      { taken: null },
      { taken: [7] },
      { taken: [[clock.now, 1, 1]] },
      { taken: [[clock.now, 1, 1, '1']] },
      { taken: [[clock.now, 1, 1, 1, 1]] },
    ];
    const stored = async () => {
      await budget?.tryTake();
      const row = await kysely.selectFrom('budgets').select('state').executeTakeFirstOrThrow();
      return JSON.parse(row.state) as object;
    };
    const write = (state: string) => kysely.updateTable('budgets').set({ state }).execute();
    await write(JSON.stringify({ ...(await stored()), service: null, ceiling: null }));
    expect(await budget?.left()).toBe(19);
    for (const fields of spoilt) {
      await write(JSON.stringify({ ...(await stored()), ...fields }));
      expect(await budget?.left(), JSON.stringify(fields)).toBe(20);
    }
    for (const state of ['{', '7', 'null']) {
      await stored();
      await write(state);
      expect(await budget?.left(), state).toBe(20);
    }
    await close();
  });
});

it('a budget without a ledger limits its process, separately for each key pair', async () => {
  const clock = { now: 1_790_000_000_000 };
  const time = { now: () => clock.now };
  const buckets = bucketsInMemory();
  const budget = createBudget('a', LIMIT, buckets, time);
  for (let count = 0; count < 18; ) {
    const wait = await budget.tryTake();
    if (wait === 0) count += 1;
    clock.now += wait;
  }
  expect(await budget.left()).toBe(2);
  expect(clock.now - 1_790_000_000_000).toBeGreaterThan(30_000);
  expect(await createBudget('b', LIMIT, buckets, time).left()).toBe(20);
});

it('a budget counts every answer since its last token', async () => {
  const budget = createBudget('a', LIMIT, bucketsInMemory(), { now: () => 1_790_000_000_000 });
  await budget.observe({ ...SILENT, limit: 20, remaining: 0, resetMs: 25_000 });
  await budget.observe(SILENT);
  expect(await budget.tryTake()).toBe(25_000);
});

import { describe, expect, it, test } from 'vitest';
import { openCore } from '../../../src/sandbox/open.ts';
import { readScenarioName, SCENARIO_NAMES, sentAmount } from '../../../src/sandbox/orders/scenario-ends.ts';
import { StateReplaced } from '../../../src/sandbox/state/state-row.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import {
  call,
  freshFile,
  NEW_SWAP,
  newOrder,
  postTo,
  sandboxForTest,
  type TestSandbox,
  testSandbox,
} from '../sandbox.ts';
import { agreedOrder } from './agreed.ts';

const MINUTE = 60_000;
const SECOND = 1000;

/** The status codes of an order so far. */
async function codes({ operator }: TestSandbox, order: string): Promise<readonly number[]> {
  const found = (await operator.orders.list()).find((each) => each.order === order);
  return [9, ...(found?.transitions ?? []).map(({ to }) => to)];
}

/** The status codes of an order ten minutes after it was created on a server with these options. */
async function endOf(
  options: Parameters<typeof testSandbox>[0],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<readonly number[]> {
  const sandbox = await testSandbox(options);
  const order = await newOrder(sandbox, changes);
  sandbox.clock.pass(10 * MINUTE);
  const path = await codes(sandbox, order);
  await sandbox.stop();
  return path;
}

describe('an order on a sandbox with a scenario', () => {
  test.each([
    ['late-deposit', [9, 5]],
    ['underpaid', [9, 1, 10]],
    ['overpaid', [9, 1, 10]],
  ] as const)('at a fixed rate goes through the statuses of %s', async (scenario, path) => {
    expect(await endOf({ scenario }, { typeSwap: 1 })).toEqual(path);
  });

  it('exists with lost-answer, which drops only successful responses', async () => {
    const sandbox = await sandboxForTest({ scenario: 'lost-answer' });
    await expect(call(sandbox, 'create-transaction', NEW_SWAP)).rejects.toThrow('fetch failed');
    expect(await sandbox.operator.orders.list()).toHaveLength(1);
    expect((await call(sandbox, 'create-transaction', { ...NEW_SWAP, depositAmount: 0 })).status).toBe(400);
    expect(await sandbox.operator.orders.list()).toHaveLength(1);
  });

  it('has no payout with success-without-payout, and pays for the deposited amount', async () => {
    const unpaid = await testSandbox({ scenario: 'success-without-payout' });
    const id = await newOrder(unpaid);
    unpaid.clock.pass(MINUTE);
    expect((await call(unpaid, 'get-transaction', { id })).json).toMatchObject({
      status: 4,
      receiveTransaction: { txId: '', amount: null },
      swapTime: { end: '2026-01-01T00:00:13.999Z' },
    });
    await unpaid.stop();
    for (const [scenario, amount, change] of [
      ['underpaid', 0.09, -1],
      ['overpaid', 0.11, 1],
    ] as const) {
      const sandbox = await testSandbox({ scenario });
      const { json } = await call(sandbox, 'create-transaction', NEW_SWAP);
      sandbox.clock.pass(MINUTE);
      const seen = (await call(sandbox, 'get-transaction', { id: json.orderNumber })).json;
      expect(seen.pairs.deposit.coin.value).toBe(amount);
      expect(Math.sign(seen.pairs.receive.coin.value - json.pairs.receive.coin.value)).toBe(change);
      await sandbox.stop();
    }
  });

  it('continues from an earlier deposit by an operator', async () => {
    const sandbox = await sandboxForTest({ scenario: 'error' });
    const order = await newOrder(sandbox);
    sandbox.clock.pass(SECOND);
    const txId = (await sandbox.operator.orders.deposit(order)).deposit.txId;
    sandbox.clock.pass(MINUTE);
    const [seen] = await sandbox.operator.orders.list();
    expect(seen).toMatchObject({ status: 6, deposit: { txId } });
    expect(seen?.transitions.map(({ at }) => at - (seen?.createdAt ?? 0))).toEqual([1000, 5000, 7500]);
  });

  it('keeps its scenario after a clock reset and on a server without one', async () => {
    const database = freshFile();
    const one = await sandboxForTest({ database, scenario: 'frozen' });
    const two = await sandboxForTest({ database });
    const order = await newOrder(one);
    await two.operator.clock.advance(MINUTE);
    expect(await codes(two, order)).toEqual([9, 1, 3, 11]);
    await two.operator.clock.reset();
    expect(await codes(two, order)).toEqual([9, 1, 3, 11]);
    expect(await codes(two, await newOrder(two))).toEqual([9]);
  });

  test.each(BOTH_DATABASES)('keeps its scenario on $kind, at its time scale', async ({ fresh }) => {
    const path = await endOf({ database: await fresh(), scenario: 'refund', timeScale: 10 });
    expect(path).toEqual([9, 1, 3, 10, 13]);
  });
});

describe('a magic amount', () => {
  test.each([
    [0.13, [9, 1, 3, 6]],
    [1.13, [9, 1, 3, 6]],
    [0.0113, [9, 1, 3, 6]],
    [0.19, [9, 1, 3, 10, 13]],
    [0.62, [9, 1, 3, 4]],
    [0.07, [9, 5]],
    [0.113_1, [9]],
    [0.1, [9]],
    [2, [9]],
  ])('of %d leads to the statuses %j', async (depositAmount, path) => {
    expect(await endOf({ magic: true }, { depositAmount })).toEqual(path);
  });

  it('of .23 makes confirmations and exchange ten times slower', async () => {
    const sandbox = await sandboxForTest({ magic: true });
    const order = await newOrder(sandbox, { depositAmount: 0.23 });
    const { createdAt } = await sandbox.operator.orders.deposit(order);
    sandbox.clock.pass(89 * SECOND);
    const times = async () =>
      (await sandbox.operator.orders.list())[0]?.transitions.map(({ to, at }) => [to, at - createdAt]);
    expect(await times()).toEqual([
      [1, 0],
      [3, 40_000],
    ]);
    sandbox.clock.pass(SECOND);
    expect((await times())?.at(-1)).toEqual([12, 90_000]);
  });

  it('counts in any spelling of the number and takes precedence over a scenario', async () => {
    const sandbox = await sandboxForTest({ magic: true, scenario: 'frozen' });
    const made = async (digits: string) => {
      const { json } = await postTo(sandbox, JSON.stringify(NEW_SWAP).replace('0.1,', `${digits},`));
      return json.orderNumber as string;
    };
    const digits = ['0.1', '0.10', '0.1031', '0.13', '0.130', '0.1300', '1.3e-1', '13e-2'];
    const orders = await Promise.all(digits.map(made));
    sandbox.clock.pass(MINUTE);
    const ends = await Promise.all(orders.map(async (order) => (await codes(sandbox, order)).at(-1)));
    expect(ends).toEqual([11, 11, 11, 6, 6, 6, 6, 6]);
  });

  it('has no effect unless magic amounts are on', async () => {
    expect(await endOf({}, { depositAmount: 0.13 })).toEqual([9]);
  });
});

it('the name of a scenario is one of twelve in any letter case, and any other is rejected with a suggestion', () => {
  expect(SCENARIO_NAMES).toHaveLength(12);
  expect(readScenarioName('Late-Deposit')).toBe('late-deposit');
  expect(() => readScenarioName('sucess')).toThrow('Unknown scenario sucess. Did you mean success?');
  expect(() => readScenarioName('\u001b[2J')).toThrow('Unknown scenario <U+001B>[2J.');
  const hint = `Choose one of ${SCENARIO_NAMES.join(', ')}.`;
  expect(() => readScenarioName('x')).toThrow(expect.objectContaining({ code: 'usage', hint }));
});

test.each([
  ['0.1', 'less', 8, '0.09'],
  ['0.1', 'more', 8, '0.11'],
  ['0.00000001', 'less', 8, '0.00000002'],
  ['123456789012345678901.5', 'more', 1, '135802467913580246791.6'],
  ['0.1', 'late', 8, '0.1'],
] as const)('a deposit agreed as %s, sent as %s with %d decimals, is %s', (agreed, kind, decimals, sent) =>
  expect(sentAmount(agreed, kind, decimals)).toBe(sent),
);

it('an order priced before a clock reset is not created after it', async () => {
  const { operator, clock, database, stop } = await testSandbox();
  const core = await openCore({ database, now: clock.now, monotonic: () => 0 });
  await operator.clock.advance(86_400_000);
  const { now, generation } = await core.shared.read();
  const order = { ...agreedOrder(core.catalogue, now), generation };
  const { create } = await core.creating();
  expect(await create(order)).toMatchObject({ createdAt: now });
  await operator.clock.reset();
  await expect(create(order)).rejects.toBeInstanceOf(StateReplaced);
  await core.database.close();
  await stop();
});

import { expect, it } from 'vitest';
import { type ErrorCode, SwapctlError } from '../../../src/errors.ts';
import type { Budget } from '../../../src/ledger/budget/budget.ts';
import { budgetedService, Pace } from '../../../src/swaps/batch/pace.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { profileAt } from '../../helpers/scene.ts';
import { contextOn } from '../follow/followers.ts';

it.each<[ErrorCode, number, number, string]>([
  ['rate_limited', 1, 2, 'answered'],
  ['rate_limited', 4, 5, 'answered'],
  ['rate_limited', 5, 5, 'given up'],
  ['service_error', 1, 1, 'given up'],
])('a quote of a batch that meets %s %i times is asked %i times and %s', async (code, times, asks, end) => {
  let now = 1_790_000_000_000;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const { context } = contextOn(clock, await temporaryFolder(), profileAt('http://127.0.0.1:1'));
  const service = await context.service();
  let asked = 0;
  const quote: typeof service.client.quote = async (wanted) => {
    asked += 1;
    if (asked <= times) throw new SwapctlError(code, 'Not now.');
    return { ...wanted, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null };
  };
  const busy = { ...service, client: { ...service.client, quote } };
  const ports = { ...context, service: async () => busy };
  const { service: paced, pace } = await budgetedService(ports, busy, { budget: null, dryRun: false });
  const pair = { from: { coin: 'BTC', network: null }, to: { coin: 'ETH', network: null } };
  const answer = paced.client.quote({ ...pair, amount: '0.1', lastSource: 'deposit', type: 'float' });
  if (end === 'answered') expect(await answer).toMatchObject({ receive: '2.5' });
  else await expect(answer).rejects.toMatchObject({ code });
  expect([asked, pace.turns]).toEqual([asks, asks]);
  await context.close();
});

it('requests that wait at the same time take one turn each, reads first', async () => {
  const { context } = contextOn({ now: () => 1, sleep: async () => undefined }, await temporaryFolder());
  let [inFlight, most] = [0, 0];
  const tryTake = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise(setImmediate);
    inFlight -= 1;
    return 0;
  };
  const pace = new Pace(context, { tryTake } as unknown as Budget);
  const order: string[] = [];
  const take = (kind: 'read' | 'create') => pace.take(kind).then(() => order.push(kind));
  await Promise.all([take('create'), take('read'), take('create'), take('read')]);
  expect([order, pace.turns, most]).toEqual([['read', 'read', 'create', 'create'], 4, 1]);
  await take('read');
  expect(pace.turns).toBe(5);
  await context.close();
});

it.each([
  [1_000, [1_001, null]],
  [999, []],
])('a wait of %i ms is reported: %j', async (wait, expected) => {
  const { context } = contextOn({ now: () => 1, sleep: async () => undefined }, await temporaryFolder());
  const waits = [wait];
  const pace = new Pace(context, { tryTake: async () => waits.pop() ?? 0 } as unknown as Budget);
  const reported: (number | null)[] = [];
  pace.onWait = (until) => reported.push(until);
  await pace.take('read');
  expect(reported).toEqual(expected);
  await context.close();
});

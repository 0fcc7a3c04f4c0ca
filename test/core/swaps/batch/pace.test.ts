import { expect, it } from 'vitest';
import { StorageError } from '../../../../src/base/errors.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import type { Budget } from '../../../../src/core/ledger/budget/budget.ts';
import { budgetedService, Pace } from '../../../../src/core/swaps/batch/pace.ts';
import { contextAt, contextBy, REQUEST, withClient } from '../follow/followers.ts';

const LIVE_RUN = { budget: null, dryRun: false };
const PAIR = { from: { coin: 'BTC', network: null }, to: { coin: 'ETH', network: null } };
const QUOTE = { ...PAIR, amount: '0.1', lastSource: 'deposit', type: 'float' } as const;

it('each attempt to quote in a batch takes a turn of the budget', async () => {
  const context = await contextAt(1_790_000_000_000);
  const quote: Client['quote'] = async (wanted, turns) => {
    expect([await turns?.limit.tryTake(), await turns?.limit.tryTake()]).toEqual([0, 0]);
    return { ...wanted, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null };
  };
  const ports = await withClient(context, { quote });
  const { service, pace } = await budgetedService(ports, await ports.service(), LIVE_RUN);
  await service.client.quote(QUOTE);
  expect(pace.turns).toBe(2);
});

it.each(['quote', 'create'] as const)('a 429 to a %s delays requests of every process', async (kind) => {
  let now = 1_790_000_000_000;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const context = await contextBy({ now: () => now, sleep });
  const refused = { limit: null, remaining: null, resetMs: null, status: 429, retryAfterMs: 600_000 };
  const ports = await withClient(context, {
    quote: (_, turns) => Promise.reject(turns?.limit.observe(refused)),
    create: async (_, onAnswer) => Promise.reject(onAnswer?.(refused)),
  });
  const open = async () => budgetedService(ports, await ports.service(), LIVE_RUN);
  const paced = (await open()).service.client;
  if (kind === 'create') await paced.create(REQUEST).catch(() => undefined);
  else await paced.quote(QUOTE).catch((noted) => noted);
  const before = now;
  await (await open()).pace.take('read');
  expect(now - before).toBe(600_000);
});

it('a dry run without a ledger notes once that its request budget counts this command only', async () => {
  const context = await contextAt(1);
  const noted: string[] = [];
  const ports = {
    ...context,
    ledger: () => Promise.reject(new StorageError('The ledger is locked.')),
    notify: async ({ text }: { readonly text: string }) => void noted.push(text),
  };
  const { pace } = await budgetedService(ports, await context.service(), { budget: null, dryRun: true });
  for (const _ of ['first', 'second']) await pace.take('read');
  expect(noted).toEqual(['The ledger is locked. The request budget applies to this command only.']);
});

it('requests that wait at the same time take one turn each, reads before creates', async () => {
  const context = await contextAt(1);
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
});

it.each([
  [1_000, [1_001, null]],
  [999, []],
])('a wait of %i ms for the budget is reported as %j', async (wait, expected) => {
  const context = await contextAt(1);
  const waits = [wait];
  const pace = new Pace(context, { tryTake: async () => waits.pop() ?? 0 } as unknown as Budget);
  const reported: (number | null)[] = [];
  pace.onWait = (until) => reported.push(until);
  await pace.take('read');
  expect(reported).toEqual(expected);
});

import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { MAX_POSTPONED_MS, POLL_LEASE_MS } from '../../../../src/core/ledger/polls.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { BTC_TO_ETH, type SwapService, startSwapService, wireSwap } from '../../../helpers/swap-service.ts';
import { observed, swapOf } from '../../ledger/entries.ts';
import { contextBy, contextOn, followAll, recordSwap, SharedClock, withClient } from './followers.ts';

const START = 1_790_000_000_000;

it.each([
  [30_000, true],
  [30_001, false],
])('a swap that was seen %i ms ago is shown as fundable before its first poll: %s', async (age, expected) => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock, {});
  const leave = clock.join();
  await recordSwap(context);
  await clock.sleep(age);
  const shown: unknown[] = [];
  const until = followAll(context, { fromLedger: true }, (news) => {
    if (news.kind !== 'known') return;
    shown.push(...news.swaps.map(({ swap }) => swap.fundable));
    throw new Error('enough');
  });
  await expect(until).rejects.toThrow('enough');
  leave();
  expect(shown).toEqual([expected]);
});

/** A service that knows any order, and remembers who was looked at when. Each ends a while after the beginning. */
async function serviceOn(clock: SharedClock, endsAfter: number) {
  const looks: { readonly order: string; readonly at: number }[] = [];
  const service: SwapService = await startSwapService({
    'get-transaction': ({ query }, response) => {
      const order = query.get('id') ?? '';
      looks.push({ order, at: clock.now() });
      const status = clock.now() - START > endsAfter ? 4 : 1;
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber: order, status, txId: 'f00d' });
    },
  });
  return { service, looks };
}

it('several processes that watch the swaps of one ledger poll each swap once per interval, and take over from one that died', async () => {
  const clock = new SharedClock(START);
  const { service, looks } = await serviceOn(clock, 50_000);
  const home = await temporaryFolder();
  const env = { ...profileAt(service.url), SWAPCTL_LEDGER: join(home, 'ledger.db') };
  const team = [1, 2, 3].map(() => contextOn(clock, home, env).context);
  const [first] = team;
  if (first === undefined) throw new Error('no team');
  const { client } = await first.service();
  const orders = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH'];
  for (const order of orders) await recordSwap(first, (await client.transaction(order)).value);
  const created = looks.length;
  // One who holds two of them and is not heard of again.
  const owner = await first.owner();
  const ledger = await first.ledger();
  const dead = ['AAA', 'BBB'];
  for (const order of dead) {
    const held = { owner, orders: [order], unseenSince: START + 1 };
    expect(await ledger.polls.claimDue(held, 'dead', START)).toHaveLength(1);
  }
  const learned = await Promise.all(team.map((context) => clock.during(() => followAll(context))));
  for (const context of team) await context.close();
  await service.close();
  const byTeam = looks.slice(created);
  for (const order of orders) {
    const times = byTeam.filter((look) => look.order === order).map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...pauses), order).toBeGreaterThanOrEqual(10_000);
    expect(times[0], order).toBeLessThanOrEqual(START + 30_000);
    if (dead.includes(order)) expect(times[0]).toBeGreaterThanOrEqual(START + 20_000);
  }
  // Each of them learns how every swap ended, whoever saw it.
  for (const news of learned)
    expect(news.flatMap((each) => (each.kind === 'ended' ? [each.order] : [])).sort()).toEqual(orders);
});

it('an interrupted poll returns its lease before the watch ends', async () => {
  const context = await contextBy(new SharedClock(START), {});
  await recordSwap(context);
  const ledger = await context.ledger();
  let givenBack = 0;
  const postpone: typeof ledger.polls.postpone = async (id, until) => {
    await turn();
    await ledger.polls.postpone(id, until);
    givenBack += 1;
  };
  const transaction = () => Promise.reject(new InterruptedError('SIGINT'));
  const slow = { ...context, ledger: async () => ({ ...ledger, polls: { ...ledger.polls, postpone } }) };
  const ports = await withClient(slow, { transaction });
  await expect(followAll(ports)).rejects.toThrow(InterruptedError);
  expect(givenBack).toBe(1);
});

it('a watch that ends while a swap waits for the budget returns its lease', async () => {
  const context = await contextBy(new SharedClock(START), {});
  for (let count = 0; count < 2; count += 1) await recordSwap(context);
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const sleep = () => Promise.reject(new InterruptedError('SIGINT'));
  const later = () => START + 60_000;
  const ports = { ...context, sleep, now: later, monotonic: later };
  const seen: string[] = [];
  const budget = { requests: 2, durationMs: 2_000 };
  const until = followAll(ports, { budget }, ({ kind }) => void seen.push(kind));
  await expect(until).rejects.toThrow(InterruptedError);
  expect(seen).toEqual(['seen']);
  const others = { owner, orders: null, unseenSince: START + 1 };
  expect(await ledger.polls.claimDue(others, 'another', later())).toHaveLength(1);
});

it('a watch ends if a process whose clock is an hour behind saw the swap end', async () => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock, {});
  const leave = clock.join();
  const order = await recordSwap(context);
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const entry = await ledger.byOrder(owner, order);
  // Another process polls it just now.
  await ledger.polls.postpone(entry?.id ?? '', START + 600_000);
  const others = clock.during(async () => {
    await clock.sleep(10_000);
    await ledger.seen(owner, observed(order, 4, clock.now() - 3_600_000));
  });
  const learned = await followAll(context);
  await others;
  leave();
  expect(learned.at(-1)).toMatchObject({ kind: 'ended', order, swap: { status: 'success' } });
  expect(clock.now() - START).toBeLessThan(180_000);
});

describe('a single poll of each swap', () => {
  const ONCE = { once: true } as const;

  it('does not wait for a swap that another process has postponed', async () => {
    const clock = new SharedClock(START);
    const context = await contextBy(clock, {});
    const leave = clock.join();
    const [postponed, free] = [await recordSwap(context), await recordSwap(context)];
    const [ledger, owner] = [await context.ledger(), await context.owner()];
    const entry = await ledger.byOrder(owner, postponed);
    await ledger.polls.postpone(entry?.id ?? '', START + MAX_POSTPONED_MS);
    await clock.sleep(1_000);
    const learned = await followAll(context, ONCE);
    leave();
    expect(learned).toMatchObject([{ kind: 'seen', swap: { order: free } }]);
    // A process that had leased it may have ended by then.
    expect(clock.now() - START).toBeGreaterThan(POLL_LEASE_MS);
    expect(clock.now() - START).toBeLessThan(30_000);
  });

  it.each([404, 500])('leaves a swap that the service answers with %i to the next run', async (status) => {
    const clock = new SharedClock(START);
    const service = await startSwapService({
      'get-transaction': (_, response) => sendJson(response, status, { statusCode: status, message: 'No.' }),
    });
    const { context } = contextOn(clock, await temporaryFolder(), profileAt(service.url));
    const leave = clock.join();
    const order = await recordSwap(context, { ...swapOf('AAA'), order: 'AAA' });
    for (const _ of ['first', 'second']) {
      await clock.sleep(1_000);
      const before = clock.now();
      const kind = status === 404 ? 'gone' : 'missed';
      expect(await followAll(context, ONCE)).toMatchObject([{ kind, order }]);
      expect(clock.now() - before).toBeLessThan(10_000);
    }
    leave();
    await context.close();
    await service.close();
  });
});

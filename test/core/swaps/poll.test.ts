import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import { takeTurn } from '../../../src/core/client/turns.ts';
import { pollOrders } from '../../../src/core/swaps/poll.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import type { ProfilePollOptions } from '../../../src/core/swaps/profile-poll.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { OTHER, OWNER, observed, swapOf } from '../ledger/entries.ts';
import { createdSwap, ledgerAt } from '../ledger/events/ledgers.ts';
import { contextAt, withClient } from './follow/followers.ts';

const NOW = 1_790_000_000_000;

/** Ports whose ledger saw these orders at these times, and which orders its service is asked for. */
async function portsWith(
  seen: Readonly<Record<string, number>>,
  answer: (order: string) => Error | null = () => null,
) {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  for (const [order, at] of Object.entries(seen)) await createdSwap(ledger, order, at);
  const context = await contextAt(NOW);
  const [asked, reported]: [string[], string[]] = [[], []];
  const transaction: Client['transaction'] = async (order) => {
    asked.push(order);
    const error = answer(order);
    if (error === null) return { value: swapOf(order), httpStatus: 200 };
    // What was answered by then is recorded.
    await turn();
    throw error;
  };
  const notify: Ports['notify'] = async ({ text }) => {
    await turn();
    reported.push(text);
  };
  const own = { ...context, ledger: async () => ledger, owner: async () => OWNER, notify };
  return { ports: await withClient<Ports>(own, { transaction }), asked, reported };
}

const OPTIONS: ProfilePollOptions = {
  named: false,
  isFew: true,
  maxAgeMs: null,
  usualMaxAgeMs: 10_000,
  budget: null,
  startedAt: NOW,
  deadline: Number.POSITIVE_INFINITY,
  onPoll: () => undefined,
  onWait: () => undefined,
};

const SILENT = { limit: null, remaining: null, resetMs: null, retryAfterMs: null };

/** A time that passes only in pauses. */
function timePassing() {
  let time = NOW;
  const now = () => time;
  const sleep = async (milliseconds: number) => {
    time += milliseconds;
  };
  return { now, monotonic: now, sleep };
}

/** Orders to poll through these ports. */
const at = (ports: Ports, ...orders: readonly string[]) =>
  orders.map((order) => ({ order, ports, entry: null }));

describe('polling orders of a ledger', () => {
  it.each([
    [{ maxAgeMs: 5_000 }, 5_000, true],
    [{ maxAgeMs: 5_000 }, 4_999, false],
    [{ maxAgeMs: 0 }, 0, true],
    [{ named: true }, -1, true],
    [{}, 10_000, true],
    [{}, 9_999, false],
    [{ named: true }, 0, false],
    [{ named: true }, 10_000, true],
    [{ named: true }, 9_999, false],
  ])('with %j polls an order that was seen %i ms ago: %s', async (options, age, isPolled) => {
    const { ports, asked } = await portsWith({ KQWZPA: NOW - age });
    const { swaps } = await pollOrders(at(ports, 'KQWZPA'), { ...OPTIONS, ...options });
    expect([asked, swaps.map(({ isOld }) => isOld)]).toEqual([isPolled ? ['KQWZPA'] : [], [false]]);
  });

  it('starts with the order that was not seen for longest', async () => {
    const { ports, asked } = await portsWith({ AAA: NOW - 60_000, BBB: NOW - 90_000, CCC: NOW - 30_000 });
    await pollOrders(at(ports, 'AAA', 'BBB', 'CCC'), OPTIONS);
    expect(asked).toEqual(['BBB', 'AAA', 'CCC']);
  });

  it('reports an order that the service no longer knows', async () => {
    const { ports, reported } = await portsWith({ AAA: 1, BBB: 2 }, (order) =>
      order === 'BBB' ? new SwapctlError('not_found', 'No such order.') : null,
    );
    const { swaps, failures } = await pollOrders(at(ports, 'BBB'), OPTIONS);
    expect([swaps, failures]).toEqual([[], []]);
    expect(reported).toEqual(['the service no longer knows order BBB of the ledger: No such order.']);
  });

  it('ends with an error that no order caused', async () => {
    const { ports } = await portsWith({ AAA: 1 }, () => new SwapctlError('not_found', 'No such order.'));
    const full = new SwapctlError('storage_failed', 'The disk is full.');
    const unheard = { ...ports, notify: () => Promise.reject(full) };
    await expect(pollOrders(at(unheard, 'AAA'), OPTIONS)).rejects.toBe(full);
    const broken = { ...ports, service: () => Promise.reject(new TypeError('no function')) };
    await expect(pollOrders(at(broken, 'AAA'), OPTIONS)).rejects.toBeInstanceOf(TypeError);
  });

  it('without time shows orders as last seen, and fails those never seen', async () => {
    const { ports, asked } = await portsWith({ AAA: NOW - 60_000 });
    const options = { ...OPTIONS, named: true, deadline: NOW };
    const { swaps, failures } = await pollOrders(at(ports, 'AAA', 'BBB'), options);
    expect([asked, swaps.map(({ swap, isOld }) => [swap.order, isOld])]).toEqual([[], [['AAA', true]]]);
    const message = 'Order BBB was not polled: the request budget left no time for it.';
    const error = { code: 'timeout', retryable: true, message };
    expect(failures).toMatchObject([{ order: 'BBB', error }]);
  });

  it.each([
    ['polls named orders one by one, without a lease', true, 1, 60_000],
    ['polls other orders four at a time, within their leases', false, 4, 18_000],
  ])('%s', async (_, named, most, timeLeft) => {
    const orders = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];
    const { ports } = await portsWith(Object.fromEntries(orders.map((order) => [order, 1])));
    let inFlight = 0;
    const found: (readonly [number, number | undefined])[] = [];
    const transaction: Client['transaction'] = async (order, turns) => {
      inFlight += 1;
      found.push([inFlight, turns?.timeLeft()]);
      for (let count = 0; count < 20; count += 1) await turn();
      inFlight -= 1;
      return { value: swapOf(order), httpStatus: 200 };
    };
    const slow = await withClient(ports, { transaction });
    const options = { ...OPTIONS, named, budget: { requests: 60, durationMs: 1 }, deadline: NOW + 60_000 };
    const { swaps } = await pollOrders(at(slow, ...orders), options);
    expect(swaps).toHaveLength(6);
    expect(Math.max(...found.map(([count]) => count))).toBe(most);
    expect(new Set(found.map(([, left]) => left))).toEqual(new Set([timeLeft]));
  });

  it('waits for the rate limit of the service beyond the lease, then takes a full lease again', async () => {
    const { ports } = await portsWith({ AAA: NOW - 60_000 });
    const time = timePassing();
    const found: unknown[] = [];
    const transaction: Client['transaction'] = async (order, turns) => {
      if (turns === undefined) throw new TypeError('no turns');
      found.push(await takeTurn(turns, time.sleep), time.now() - NOW);
      await turns.limit.observe({ ...SILENT, status: 429, retryAfterMs: 30_000 });
      found.push(await takeTurn(turns, time.sleep), time.now() - NOW, turns.timeLeft());
      return { value: swapOf(order), httpStatus: 200 };
    };
    const limited = await withClient({ ...ports, ...time }, { transaction });
    await pollOrders(at(limited, 'AAA'), { ...OPTIONS, deadline: NOW + 60_000 });
    expect(found).toEqual([true, 0, true, 30_000, 18_000]);
  });

  it('leaves orders that are rate limited to other processes', async () => {
    const { ports, asked } = await portsWith(
      { AAA: NOW - 60_000 },
      () => new SwapctlError('rate_limited', 'Too many requests.'),
    );
    const ledger = await ports.ledger();
    let isGivenBack = false;
    const postpone: typeof ledger.polls.postpone = async (id, until) => {
      await turn();
      await ledger.polls.postpone(id, until);
      isGivenBack = true;
    };
    const slow = { ...ports, ledger: async () => ({ ...ledger, polls: { ...ledger.polls, postpone } }) };
    await pollOrders(at(slow, 'AAA'), OPTIONS);
    expect([asked, isGivenBack]).toEqual([['AAA'], true]);
    const others = { owner: OWNER, orders: null, unseenSince: NOW };
    expect(await ledger.polls.claimDue(others, 'another', NOW)).toHaveLength(1);
  });

  it('waits for the request budget', async () => {
    const { ports, asked } = await portsWith({});
    const time = timePassing();
    const budget = { requests: 1, durationMs: 60_000 };
    await pollOrders(at({ ...ports, ...time }, 'AAA', 'BBB'), { ...OPTIONS, named: true, budget });
    expect(asked).toEqual(['AAA', 'BBB']);
    expect(time.now() - NOW).toBeGreaterThanOrEqual(60_000);
  });

  it('includes ended orders, which no process can lease', async () => {
    const { ports, asked } = await portsWith({ AAA: NOW - 90_000 });
    await (await ports.ledger()).seen(OWNER, observed('AAA', 4, NOW - 60_000));
    await pollOrders(at(ports, 'AAA'), OPTIONS);
    expect(asked).toEqual(['AAA']);
  });

  it.each([
    ['timeout', ['AAA', 'BBB'], []],
    ['service_error', ['AAA', 'BBB'], ['BBB']],
    // The service answered nothing at all.
    ['timeout', ['BBB'], ['BBB']],
  ] as const)('that ends after the deadline with %s, of %j, fails for %j', async (code, orders, failed) => {
    let now = 0;
    const { ports } = await portsWith({ AAA: NOW - 90_000, BBB: NOW - 60_000 }, (order) => {
      if (order === 'AAA') return null;
      now = 10;
      return new SwapctlError(code, 'No.');
    });
    const late = { ...ports, monotonic: () => now };
    const { failures } = await pollOrders(at(late, ...orders), { ...OPTIONS, deadline: 10 });
    expect(failures.map(({ order }) => order)).toEqual(failed);
  });

  it.each([
    ['timeout', 'Nothing changed. Use a longer --timeout.'],
    ['service_error', 'Ask them.'],
  ] as const)('that fails with %s after the deadline has the hint %j', async (code, hint) => {
    let now = 0;
    const { ports } = await portsWith({}, () => {
      now = 10;
      return new SwapctlError(code, 'No.', { hint: 'Ask them.' });
    });
    const late = { ...ports, monotonic: () => now };
    const { failures } = await pollOrders(at(late, 'AAA'), { ...OPTIONS, named: true, deadline: 10 });
    expect(failures.map(({ error }) => error.hint)).toEqual([hint]);
  });

  it('waits for an order that another process is polling', async () => {
    const { ports, asked } = await portsWith({ AAA: NOW - 60_000 });
    const ledger = await ports.ledger();
    const others = { owner: OWNER, orders: null, unseenSince: NOW };
    expect(await ledger.polls.claimDue(others, 'another', NOW)).toHaveLength(1);
    let pauses = 0;
    const sleep = async () => {
      pauses += 1;
      if (pauses === 2) await ledger.seen(OWNER, observed('AAA', 1, NOW));
    };
    const { swaps } = await pollOrders(at({ ...ports, sleep }, 'AAA'), OPTIONS);
    expect(swaps).toMatchObject([{ swap: { order: 'AAA', status: 'confirmation' }, isOld: false }]);
    expect([asked, pauses]).toEqual([[], 2]);
  });
});

it('a poll failure among several profiles names its profile in details and commands', async () => {
  const refused = () => new SwapctlError('not_found', 'No such order.');
  const [shop, other] = [await portsWith({}, refused), await portsWith({})];
  const orders = [...at(shop.ports, 'AAA'), ...at({ ...other.ports, owner: async () => OTHER }, 'BBB')];
  const { swaps, failures } = await pollOrders(orders, { ...OPTIONS, named: true });
  expect(swaps.map(({ swap }) => swap.order)).toEqual(['BBB']);
  const alone = await pollOrders(at(shop.ports, 'AAA'), { ...OPTIONS, named: true });
  expect(alone.failures.map(({ error }) => error.details)).not.toHaveProperty('0.profile');
  const actions = [{ command: ['swapctl', 'history', '-p', 'shop'] }];
  expect(failures).toMatchObject([{ order: 'AAA', error: { details: { profile: 'shop' }, actions } }]);
});

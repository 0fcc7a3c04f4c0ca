import { expect, it } from 'vitest';
import { InterruptedError, StorageError, SwapctlError } from '../../../../src/base/errors.ts';
import type { Context } from '../../../../src/cli/context.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import type { Swap } from '../../../../src/core/swap/swap.ts';
import { followSwaps } from '../../../../src/core/swaps/follow/follow.ts';
import type { Followed, FollowOptions } from '../../../../src/core/swaps/follow/profile.ts';
import { inScene, profileAt } from '../../../helpers/scene.ts';
import { observed, swapOf } from '../../ledger/entries.ts';
import { contextBy, contextOn, followAll, recordSwap, SharedClock, withClient } from './followers.ts';

const START = 1_790_000_000_000;

it('an unavailable profile is reported, and any other error ends the watch', async () => {
  const context = await contextBy(new SharedClock(START), {});
  const from = (error: Error) => followAll({ ...context, service: () => Promise.reject(error) });
  const { account: key } = await context.owner();
  const error = new SwapctlError('no_credentials', 'No key pair.');
  const gone = { kind: 'gone', key, at: START, order: '', error, isWholeProfile: true };
  expect(await from(error)).toEqual([gone]);
  await expect(from(new InterruptedError('SIGINT'))).rejects.toThrow(InterruptedError);
  await expect(from(new TypeError('no function'))).rejects.toThrow(TypeError);
});

it('a profile whose key pair is rejected is polled only once', async () => {
  const context = await contextBy(new SharedClock(START), {});
  for (let count = 0; count < 2; count += 1) await recordSwap(context);
  let asked = 0;
  const transaction = async () => {
    asked += 1;
    throw new SwapctlError('invalid_signature', 'The key pair is refused.');
  };
  const learned = await followAll(await withClient(context, { transaction }));
  expect(learned).toMatchObject([{ kind: 'gone', isWholeProfile: true }]);
  expect(asked).toBe(1);
});

it('a bug in a poll ends the watch', async () => {
  const context = await contextBy(new SharedClock(START), {});
  await recordSwap(context, swapOf('KQWZPA'));
  const transaction = () => Promise.reject(new TypeError('no function'));
  await expect(followAll(await withClient(context, { transaction }))).rejects.toThrow(TypeError);
});

it.each([
  ['is left to the next process after its pause', {}, 'service_error', 'missed', 10_000],
  ['is left to the next process immediately', { once: true }, 'service_error', 'missed', 0],
  ['is not polled again for ten minutes', {}, 'not_found', 'gone', 600_000],
  ['is left to another key pair immediately', {}, 'invalid_signature', 'gone', 0],
] as const)('a swap whose poll fails %s: with %j and %s', async (_, options, code, kind, pause) => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  await recordSwap(context, swapOf('KQWZPA'));
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  await clock.sleep(60_000);
  const timesLeft: (number | undefined)[] = [];
  const transaction: Client['transaction'] = async (__, turns) => {
    timesLeft.push(turns?.timeLeft());
    throw new SwapctlError(code, 'No.', { retryable: kind === 'missed' });
  };
  const began = clock.now();
  const ports = await withClient({ ...context, deadline: () => began + 1_000 }, { transaction });
  const learned = await clock.during(() => followAll(ports, options));
  expect(learned[0]).toMatchObject({ kind, order: 'KQWZPA' });
  // The poll ends two seconds before its lease.
  expect(timesLeft).toEqual([18_000]);
  const isDueAfter = async (milliseconds: number) => {
    const at = began + milliseconds;
    const due = { owner, orders: null, unseenSince: at };
    return (await ledger.polls.claimDue(due, 'another', at)).length > 0;
  };
  if (pause > 0) expect(await isDueAfter(pause - 1)).toBe(false);
  expect(await isDueAfter(pause)).toBe(true);
});

it.each([
  ['timeout', 1_000, []],
  ['timeout', 30_000, ['missed']],
  ['network_error', 1_000, ['missed']],
] as const)('a poll that ends with %s, %i ms before the deadline, reports %j', async (code, left, missed) => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  await recordSwap(context, swapOf('KQWZPA'));
  await clock.sleep(60_000);
  let isOver = false;
  const transaction = async () => {
    isOver = true;
    throw new SwapctlError(code, 'No.', { retryable: true });
  };
  const deadline = clock.now() + left;
  // Nothing else is tried after this poll.
  const monotonic = () => clock.now() + (isOver ? left - 1 : 0);
  const ports = await withClient({ ...context, monotonic, deadline: () => deadline }, { transaction });
  const learned = await clock.during(() => followAll(ports));
  expect(learned.map(({ kind }) => kind)).toEqual([...missed, 'ended']);
});

it.each([
  ['a watch', {}, 1],
  ['a listener', { endless: true }, 0],
  ['one round of a listener', { endless: true, once: true }, 1],
])('%s first polls a swap that is not due yet: %j, %i times', async (_, options, polls) => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  const value = swapOf('KQWZPA');
  await recordSwap(context, value);
  await clock.sleep(1_000);
  const transaction = async () => ({ value, httpStatus: 200 });
  const ports = await withClient({ ...context, deadline: () => START + 5_000 }, { transaction });
  const learned = await clock.during(() => followAll(ports, options));
  expect(learned.filter(({ kind }) => kind === 'seen')).toHaveLength(polls);
});

it('a swap that ends is reported once, and one that began and ended elsewhere never', async () => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  for (const order of ['ENDED', 'OPEN']) await recordSwap(context, swapOf(order));
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  await clock.sleep(60_000);
  const swaps: Readonly<Record<string, Swap>> = { ENDED: swapOf('ENDED', 4), OPEN: swapOf('OPEN') };
  const transaction = async (order: string) => ({ value: swaps[order] ?? swapOf(order), httpStatus: 200 });
  const deadline = clock.now() + 15_000;
  const ports = await withClient({ ...context, deadline: () => deadline }, { transaction });
  const leave = clock.join();
  const others = clock.during(async () => {
    await clock.sleep(10_000);
    await ledger.seen(owner, observed('ENDED', 4, clock.now()));
    await recordSwap(context, swapOf('ELSEWHERE', 4));
    await ledger.seen(owner, observed('OPEN', 1, clock.now()));
  });
  const learned = await followAll(ports);
  await others;
  leave();
  const of = (wanted: string) => learned.flatMap((each) => (each.kind === wanted ? [each] : []));
  expect(of('ended')).toMatchObject([{ order: 'ENDED' }, { order: 'OPEN' }]);
  expect(of('seen')).toMatchObject([
    { swap: { order: 'ENDED' } },
    { swap: { order: 'OPEN', status: 'new' } },
    { swap: { order: 'OPEN', status: 'confirmation' } },
  ]);
});

it.each([
  [2, 3, { maxInFlight: 2 }],
  [4, 6, {}],
])('a watch has at most %i polls in flight, with %i swaps and %j', async (inFlightAtMost, swaps, options) => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock, {});
  for (let count = 0; count < swaps; count += 1) await recordSwap(context);
  await clock.sleep(60_000);
  const service = await context.service();
  let [inFlight, most, pauses] = [0, 0, 0];
  const transaction: Client['transaction'] = async (...wanted) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await clock.during(() => clock.sleep(3_000));
    inFlight -= 1;
    return service.client.transaction(...wanted);
  };
  const sleep: typeof clock.sleep = (milliseconds) => {
    pauses += 1;
    return clock.sleep(milliseconds);
  };
  const leave = clock.join();
  const ports = await withClient({ ...context, sleep, deadline: () => START + 69_000 }, { transaction });
  const learned: Followed[] = [];
  const given = { intervalMs: null, budget: DEFAULT_BUDGET, ...options };
  for await (const news of followSwaps(ports, [{ ports, orders: null }], given)) learned.push(news);
  leave();
  expect(learned.filter(({ kind }) => kind === 'seen')).toHaveLength(swaps);
  expect(most).toBe(inFlightAtMost);
  expect(pauses).toBeLessThan(60);
});

it('a watch aborts its requests in flight when the consumer stops', () => {
  const stopped = new AbortController();
  return inScene({ 'get-transaction': () => stopped.abort() }, async ({ home, service: { url } }) => {
    const { context, stderr } = contextOn(new SharedClock(START), home, profileAt(url));
    await recordSwap(context);
    await expect(followAll(context, { signal: stopped.signal })).rejects.toThrow('aborted');
    // Nothing is left that would use the ledger.
    await context.close();
    expect(stderr()).toBe('');
  });
});

const ORDER = 'KQWZPA';
const PAID = 4;

/**
 * Follows a swap that has ended while its ledger cannot be written for `failsForMs`: all of it, or the ends alone. Returns
 * what was learned and how it ended, after how long, and whether the ledger has the end.
 */
async function followThrough(
  options: Partial<FollowOptions>,
  failing: { failsForMs: number; isAll?: boolean; timeoutMs?: number; status?: number },
  orders: readonly string[] | null = [ORDER],
) {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  await recordSwap(context, swapOf(ORDER));
  await clock.sleep(60_000);
  const began = clock.now();
  const leave = clock.join();
  const stopped = new AbortController();
  const given = { intervalMs: null, budget: DEFAULT_BUDGET, signal: stopped.signal, ...options };
  const learned: Followed[] = [];
  const ports = await failingPorts(context, clock, failing);
  const { account } = await context.owner();
  const { webhooks, undelivered } = (await context.ledger()).events;
  await webhooks.listen(account, 0);
  let error: unknown = null;
  try {
    for await (const news of followSwaps(ports, [{ ports, orders }], given)) {
      learned.push(news);
      if (news.kind === 'ended' && given.endless === true) stopped.abort();
    }
  } catch (thrown) {
    error = stopped.signal.aborted ? null : thrown;
  }
  leave();
  const entry = await (await context.ledger()).byOrder(await context.owner(), ORDER);
  const events = await undelivered(account);
  const seconds = (clock.now() - began) / 1000;
  return { kinds: learned.map(({ kind }) => kind), error, seconds, isFinal: entry?.swap?.final, events };
}

function failingPorts(
  context: Context,
  clock: SharedClock,
  { failsForMs, isAll = false, timeoutMs, status = PAID }: Parameters<typeof followThrough>[1],
): Promise<Context> {
  const began = clock.now();
  const isDown = () => clock.now() - began < failsForMs;
  const fail = () => Promise.reject(new StorageError('The ledger is locked.'));
  const ledger = async () => {
    const opened = await context.ledger();
    if (!isDown()) return opened;
    return { ...opened, seen: fail, ...(isAll ? { polls: { ...opened.polls, claimDue: fail } } : {}) };
  };
  const transaction = async () => ({ value: swapOf(ORDER, status), httpStatus: 200 });
  const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : began + timeoutMs;
  return withClient({ ...context, ledger, deadline: () => until }, { transaction });
}

it.each([
  ['a listener', { endless: true, mustRecord: true }, null],
  ['a listener for one order', { mustRecord: true }, [ORDER]],
  ['one round of a listener', { mustRecord: true, once: true }, null],
  ['a watch', {}, [ORDER]],
] as const)('%s records an end again that its ledger could not store: %j', async (_, options, orders) => {
  const followed = await followThrough(options, { failsForMs: 16_000 }, orders);
  expect(followed).toMatchObject({ error: null, isFinal: true, events: 2 });
  expect(followed.kinds.filter((kind) => kind === 'ended')).toHaveLength(1);
  // The lease of the first poll ends after 20 s.
  expect(followed.seconds).toBeLessThan(30);
});

it('a listener for one order continues as long as the ledger cannot be written', async () => {
  const followed = await followThrough({ mustRecord: true }, { failsForMs: 300_000, isAll: true });
  expect(followed).toMatchObject({ error: null, isFinal: true });
  expect(followed.seconds).toBeGreaterThan(300);
});

it.each([
  ['a listener for one order at its deadline', { mustRecord: true }, { timeoutMs: 45_000 }],
  ['one round that saw no end', { mustRecord: true, once: true }, { status: 1 }],
])('%s throws storage_failed while the ledger does not have what it saw: %j', async (_, options, time) => {
  const { error, isFinal } = await followThrough(options, { failsForMs: 3_600_000, ...time });
  const message = expect.stringContaining(`Swap ${ORDER} is`);
  expect(error).toMatchObject({ code: 'storage_failed', message });
  expect(isFinal).toBe(false);
});

it.each([
  ['never worked', 3_600_000, { isAll: true }, 1],
  ['fails only at recording the end', 3_600_000, {}, 60],
])('a watch ends with what it showed if the ledger %s', async (_, failsForMs, failing, seconds) => {
  const followed = await followThrough({}, { failsForMs, ...failing });
  expect(followed).toMatchObject({ error: null, isFinal: false });
  expect(followed.kinds.at(-1)).toBe('ended');
  expect(followed.seconds).toBeLessThan(seconds);
});

it('an order that the service does not know is polled again after ten minutes', async () => {
  const clock = new SharedClock(START);
  const context = await contextBy(clock);
  await recordSwap(context, swapOf(ORDER));
  await clock.sleep(60_000);
  let polls = 0;
  const transaction = async () => {
    polls += 1;
    if (polls === 1) throw new SwapctlError('not_found', 'No.');
    return { value: swapOf(ORDER, PAID), httpStatus: 200 };
  };
  const deadline = clock.now() + 700_000;
  const ports = await withClient({ ...context, deadline: () => deadline }, { transaction });
  const leave = clock.join();
  const kinds: string[] = [];
  const options = { intervalMs: null, budget: DEFAULT_BUDGET, endless: true, mustRecord: true };
  for await (const { kind } of followSwaps(ports, [{ ports, orders: null }], options)) kinds.push(kind);
  leave();
  expect(kinds).toEqual(['gone', 'seen', 'ended']);
});

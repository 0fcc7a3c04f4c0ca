import { expect, it } from 'vitest';
import { InterruptedError, SwapctlError } from '../../../../src/base/errors.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import type { Swap } from '../../../../src/core/swap/swap.ts';
import { followSwaps } from '../../../../src/core/swaps/follow/follow.ts';
import type { Followed } from '../../../../src/core/swaps/follow/profile.ts';
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

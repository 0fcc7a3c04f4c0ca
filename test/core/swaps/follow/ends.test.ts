import { expect, it } from 'vitest';
import { InterruptedError, SwapctlError } from '../../../../src/base/errors.ts';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import { followSwaps } from '../../../../src/core/swaps/follow/follow.ts';
import type { Followed } from '../../../../src/core/swaps/follow/profile.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { inScene, profileAt } from '../../../helpers/scene.ts';
import { observed, swapOf } from '../../ledger/entries.ts';
import { contextOn, followAll, recordSwap, SharedClock } from './followers.ts';

const START = 1_790_000_000_000;

it('an unavailable profile is reported, and any other error ends the watch', async () => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder());
  const from = (error: Error) => {
    const service = async () => {
      throw error;
    };
    return followAll({ ...context, service });
  };
  const { account: key } = await context.owner();
  const error = new SwapctlError('no_credentials', 'No key pair.');
  const gone = { kind: 'gone', key, at: START, order: '', error, isWholeProfile: true };
  expect(await from(error)).toEqual([gone]);
  await expect(from(new InterruptedError('SIGINT'))).rejects.toThrow(InterruptedError);
  await expect(from(new TypeError('no function'))).rejects.toThrow(TypeError);
  await context.close();
});

it('a profile whose key pair is rejected is polled only once', async () => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder());
  for (let count = 0; count < 2; count += 1) await recordSwap(context);
  const service = await context.service();
  let asked = 0;
  const transaction = async () => {
    asked += 1;
    throw new SwapctlError('invalid_signature', 'The key pair is refused.');
  };
  const refusing = { ...service, client: { ...service.client, transaction } };
  const learned = await followAll({ ...context, service: async () => refusing });
  expect(learned).toMatchObject([{ kind: 'gone', isWholeProfile: true }]);
  expect(asked).toBe(1);
  await context.close();
});

it('a bug in a poll ends the watch', async () => {
  const { context } = contextOn(new SharedClock(START), await temporaryFolder());
  await recordSwap(context, swapOf('KQWZPA'));
  const service = await context.service();
  const transaction = () => Promise.reject(new TypeError('no function'));
  const broken = { ...service, client: { ...service.client, transaction } };
  await expect(followAll({ ...context, service: async () => broken })).rejects.toThrow(TypeError);
  await context.close();
});

it.each([
  ['is left to the next process after its pause', {}, 'service_error', 'missed', 10_000],
  ['is left to the next process immediately', { once: true }, 'service_error', 'missed', 0],
  ['is not polled again for ten minutes', {}, 'not_found', 'gone', 600_000],
  ['is left to another key pair immediately', {}, 'invalid_signature', 'gone', 0],
] as const)('a swap whose poll fails %s: with %j and %s', async (_, options, code, kind, pause) => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder(), profileAt('http://127.0.0.1:1'));
  await recordSwap(context, swapOf('KQWZPA'));
  const [service, ledger, owner] = [await context.service(), await context.ledger(), await context.owner()];
  await clock.sleep(60_000);
  const timesLeft: (number | undefined)[] = [];
  const transaction: typeof service.client.transaction = async (__, turns) => {
    timesLeft.push(turns?.timeLeft());
    throw new SwapctlError(code, 'No.', { retryable: kind === 'missed' });
  };
  const failing = { ...service, client: { ...service.client, transaction } };
  const began = clock.now();
  const ports = { ...context, service: async () => failing, deadline: () => began + 1_000 };
  const leave = clock.join();
  const learned = await followAll(ports, options);
  leave();
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
  await context.close();
});

it.each([
  ['timeout', 1_000, []],
  ['timeout', 30_000, ['missed']],
  ['network_error', 1_000, ['missed']],
] as const)('a poll that ends with %s, %i ms before the deadline, reports %j', async (code, left, missed) => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder(), profileAt('http://127.0.0.1:1'));
  await recordSwap(context, swapOf('KQWZPA'));
  await clock.sleep(60_000);
  const service = await context.service();
  let isOver = false;
  const transaction = async () => {
    isOver = true;
    throw new SwapctlError(code, 'No.', { retryable: true });
  };
  const failing = { ...service, client: { ...service.client, transaction } };
  const deadline = clock.now() + left;
  // Nothing else is tried after this poll.
  const monotonic = () => clock.now() + (isOver ? left - 1 : 0);
  const ports = { ...context, monotonic, service: async () => failing, deadline: () => deadline };
  const leave = clock.join();
  const learned = await followAll(ports);
  leave();
  expect(learned.map(({ kind }) => kind)).toEqual([...missed, 'ended']);
  await context.close();
});

it.each([
  ['a watch', {}, 1],
  ['a listener', { endless: true }, 0],
  ['one round of a listener', { endless: true, once: true }, 1],
])('%s first polls a swap that is not due yet: %j, %i times', async (_, options, polls) => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder(), profileAt('http://127.0.0.1:1'));
  const value = swapOf('KQWZPA');
  await recordSwap(context, value);
  await clock.sleep(1_000);
  const service = await context.service();
  const transaction = async () => ({ value, httpStatus: 200 });
  const answering = { ...service, client: { ...service.client, transaction } };
  const ports = { ...context, service: async () => answering, deadline: () => START + 5_000 };
  const leave = clock.join();
  const learned = await followAll(ports, options);
  leave();
  expect(learned.filter(({ kind }) => kind === 'seen')).toHaveLength(polls);
  await context.close();
});

it('a swap that ends is reported once, and one that began and ended elsewhere never', async () => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder(), profileAt('http://127.0.0.1:1'));
  for (const order of ['ENDED', 'OPEN']) await recordSwap(context, swapOf(order));
  const [service, ledger, owner] = [await context.service(), await context.ledger(), await context.owner()];
  await clock.sleep(60_000);
  const transaction = async (order: string) => ({
    value: swapOf(order, order === 'ENDED' ? 4 : 9),
    httpStatus: 200,
  });
  const answering = { ...service, client: { ...service.client, transaction } };
  const deadline = clock.now() + 15_000;
  const leave = clock.join();
  const others = (async () => {
    const stop = clock.join();
    await clock.sleep(10_000);
    await ledger.seen(owner, observed('ENDED', 4, clock.now()));
    await recordSwap(context, swapOf('ELSEWHERE', 4));
    await ledger.seen(owner, observed('OPEN', 1, clock.now()));
    stop();
  })();
  const ports = { ...context, service: async () => answering, deadline: () => deadline };
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
  await context.close();
});

it.each([
  [2, 3, { maxInFlight: 2 }],
  [4, 6, {}],
])('a watch has at most %i polls in flight, with %i swaps and %j', async (inFlightAtMost, swaps, options) => {
  const clock = new SharedClock(START);
  const { context } = contextOn(clock, await temporaryFolder());
  for (let count = 0; count < swaps; count += 1) await recordSwap(context);
  await clock.sleep(60_000);
  const service = await context.service();
  let [inFlight, most, pauses] = [0, 0, 0];
  const transaction: typeof service.client.transaction = async (...wanted) => {
    const leave = clock.join();
    inFlight += 1;
    most = Math.max(most, inFlight);
    await clock.sleep(3_000);
    inFlight -= 1;
    leave();
    return service.client.transaction(...wanted);
  };
  const sleep: typeof clock.sleep = (milliseconds) => {
    pauses += 1;
    return clock.sleep(milliseconds);
  };
  const leave = clock.join();
  const slow = { ...service, client: { ...service.client, transaction } };
  const ports = { ...context, sleep, service: async () => slow, deadline: () => START + 69_000 };
  const learned: Followed[] = [];
  const given = { intervalMs: null, budget: DEFAULT_BUDGET, ...options };
  for await (const news of followSwaps(ports, [{ ports, orders: null }], given)) learned.push(news);
  leave();
  expect(learned.filter(({ kind }) => kind === 'seen')).toHaveLength(swaps);
  expect(most).toBe(inFlightAtMost);
  expect(pauses).toBeLessThan(60);
  await context.close();
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

import { expect, it } from 'vitest';
import { StorageError, SwapctlError } from '../../../../src/base/errors.ts';
import type { Context } from '../../../../src/cli/context.ts';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import { followSwaps } from '../../../../src/core/swaps/follow/follow.ts';
import type { Followed, FollowOptions } from '../../../../src/core/swaps/follow/profile.ts';
import { swapOf } from '../../ledger/entries.ts';
import { contextBy, recordSwap, SharedClock, withClient } from './followers.ts';

const START = 1_790_000_000_000;
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
  ['one round of a listener', { mustRecord: true, once: true }, {}],
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

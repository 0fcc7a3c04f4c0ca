import { expect, it, onTestFinished, test } from 'vitest';
import { exitStatusError } from '../../../src/cli/commands/shared/watch.ts';
import { nextWords } from '../../../src/cli/views/swap.ts';
import { usualNextStatus } from '../../../src/core/swap/polling.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { jsonLines } from '../../helpers/lines.ts';
import { refusing, sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import { ADDRESSES, BTC_TO_ETH, startSwapService, WELL, wireSwap } from '../../helpers/swap-service.ts';
import { swapIn } from '../views/live/swaps.ts';
import { inStory, ORDER, withDeposit } from './history/scene.ts';
import { openShop } from './listen/shop.ts';

const MINUTE = 60_000;
const TIMES = { count: 20, p10: MINUTE, median: 3 * MINUTE, p90: 10 * MINUTE, next: 'exchanging' };

it('the next status is shown with its usual duration, and the elapsed time if longer', () => {
  expect(nextWords(usualNextStatus(TIMES, MINUTE))).toBe(
    'usually exchanging after 3 minutes, for 9 of 10 swaps of this pair within 10 minutes',
  );
  expect(nextWords(usualNextStatus(TIMES, 20 * MINUTE))).toContain('; this one has taken 20 minutes');
  for (const times of [null, { ...TIMES, count: 4 }]) expect(usualNextStatus(times, 0)).toBeNull();
  expect(nextWords(null)).toBeNull();
});

it('status of one order shows the usual next status in JSON and below its heading', async () => {
  const shop = await openShop();
  const orders = ['AAAAAA', 'BBBBBB', 'CCCCCC', 'DDDDDD', 'EEEEEE'];
  for (const order of [...orders, 'FFFFFF']) await shop.create(order);
  for (const order of orders) shop.statuses.set(order, 1);
  await shop.run(['status', ...orders]);
  const { stdout } = await shop.run(['status', 'FFFFFF', '--json']);
  const swap = JSON.parse(stdout);
  const seconds = { median: expect.any(Number), p90: expect.any(Number) };
  expect(swap).toMatchObject({
    next: { status: 'confirmation', seconds, secondsSoFar: expect.any(Number), swaps: 5 },
    action: null,
  });
  const screen = await shop.run(['status', 'FFFFFF'], { terminals: AT_TERMINAL });
  expect(screen.stdout).toMatch(/^ FFFFFF {2}new .*\n usually confirmation after /);
});

it('status of one order on hold shows the action to take', async () => {
  await inStory([], async ({ poll, here }) => {
    await poll(10, (swap) => withDeposit(swap));
    const { stdout } = await here(['status', ORDER], { terminals: AT_TERMINAL });
    expect(stdout).toMatch(/ Action +On hold: ask the service about this order\.\n/);
  });
});

/** `swapctl status` at a service that knows every order but those that begin with NO, and refuses keys for KEY. */
async function status(args: readonly string[]) {
  const service = await startSwapService({
    'get-transaction': ({ query }, response) => {
      const id = query.get('id') ?? '';
      if (id.startsWith('NO')) return sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      if (id === 'KEY') return sendJson(response, 403, { statusCode: 403, message: 'Invalid signature.' });
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber: id });
    },
  });
  onTestFinished(() => service.close());
  const env = profileAt(service.url);
  const run = await runHere(['status', ...args], { env });
  return { ...run, asked: service.requests.map(({ query }) => query.get('id')) };
}

test('status shows the other orders when some fail, and its error names the first failed order', async () => {
  const { stdout, stderr, error } = await status(['AAA', 'NO1', 'BBB', 'NO2', '--json']);
  expect(JSON.parse(stdout).map(({ order }: { order: string }) => order)).toEqual(['AAA', 'BBB']);
  expect(error).toMatchObject({
    code: 'not_found',
    exitCode: 3,
    message: 'Order NO1: Not found.',
    details: { order: 'NO1' },
  });
  expect(stderr).toBe('warning: order NO2: Not found.\n');
});

test('status without open swaps prints an empty list, and nothing with --watch', async () => {
  expect((await status(['--json'])).stdout).toBe('[]\n');
  expect((await status(['--json', '--watch'])).stdout).toBe('');
});

test('status of a single failed order reports the error without the order number', async () => {
  const { stdout, error } = await status(['NO1', '--json']);
  expect([stdout, error?.message]).toEqual(['', 'Not found.']);
});

test('status prints nothing on standard output if every named order fails', async () => {
  const { stdout, error } = await status(['NO1', 'NO2', '--json']);
  expect([stdout, error?.message]).toEqual(['', 'Order NO1: Not found.']);
});

test('status stops at a rejected key and shows the orders polled before', async () => {
  const { stdout, error, asked } = await status(['AAA', 'KEY', 'BBB', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ order: 'AAA' }]);
  expect(error).toMatchObject({ code: 'invalid_signature', exitCode: 4, details: { order: 'KEY' } });
  expect(asked).toEqual(['AAA', 'KEY']);
});

test('status --watch continues past an unknown order and exits with 3 at the end', async () => {
  const polls = new Map<string, number>();
  const service = await startSwapService({
    'get-transaction': ({ query }, response) => {
      const id = query.get('id') ?? '';
      polls.set(id, (polls.get(id) ?? 0) + 1);
      if (id === 'NO1') return sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      const code = id === 'AAA' && (polls.get(id) ?? 0) > 2 ? 5 : 9;
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber: id, status: id === 'BBB' ? 5 : code });
    },
  });
  const env = profileAt(service.url);
  const args = ['status', 'AAA', 'NO1', 'BBB', '--watch', '--interval', '0.1', '--json'];
  const { stdout, stderr, error } = await runHere(args, { env });
  await service.close();
  const ends = jsonLines(stdout).filter(({ type }) => type === 'end');
  expect(ends.map((end) => `${end['order']} ${end['status']}`)).toEqual(['BBB overdue', 'AAA overdue']);
  expect(stderr).toBe('warning: order NO1: Not found.\n');
  expect(error).toMatchObject({ code: 'not_found', exitCode: 3, message: 'Order NO1: Not found.' });
  expect(Object.fromEntries(polls)).toEqual({ AAA: 3, NO1: 1, BBB: 1 });
});

test('status --watch that could poll nothing ends with the status in the ledger', async () => {
  const service = await startSwapService({ ...WELL, 'get-transaction': refusing(500, 'Server error.') });
  const [env, home] = [profileAt(service.url), await temporaryFolder()];
  await runHere(['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes'], { home, env });
  let elapsed = 0;
  const monotonic = () => (elapsed += 5);
  const sleep = async () => undefined;
  const watch = ['status', ORDER, '--watch', '--json', '--timeout', '2s'];
  const { stdout, error } = await runHere(watch, { home, env, monotonic, sleep });
  await service.close();
  const lines = jsonLines(stdout);
  expect(lines.map(({ type }) => type)).not.toContain('status');
  expect(lines.at(-1)).toMatchObject({ type: 'end', status: 'new', statusCode: 9 });
  expect(error).toMatchObject({ code: 'still_open', details: { order: ORDER, status: 'new' } });
});

test('status --watch of several swaps reports how many are not final when it ends early', () => {
  const swaps = [
    swapIn('success', { order: 'PAID' }),
    swapIn('new', { order: 'NEW' }),
    swapIn('pause', { order: 'HELD' }),
  ];
  expect(exitStatusError(swaps, false, true)?.message).toBe(
    '2 of 3 swaps are not final yet, including NEW (new).',
  );
  expect(exitStatusError(swaps.slice(0, 2), false, true)?.message).toBe('Swap NEW is not final yet: new.');
});

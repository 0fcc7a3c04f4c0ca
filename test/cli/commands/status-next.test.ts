import { expect, it } from 'vitest';
import { nextWords } from '../../../src/cli/views/swap.ts';
import { usualNextStatus } from '../../../src/core/swap/polling.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import { inStory, ORDER, withDeposit } from './history/scene.ts';
import { openShop } from './listen/shop.ts';

const MINUTE = 60_000;
const TIMES = { count: 20, p10: MINUTE, median: 3 * MINUTE, p90: 10 * MINUTE, next: 'exchanging' };

it('the next status is shown with its usual duration, and the elapsed time if longer', () => {
  expect(nextWords(usualNextStatus(TIMES, MINUTE))).toBe(
    'usually exchanging after 3 minutes, for 9 of 10 swaps of this pair within 10 minutes',
  );
  expect(nextWords(usualNextStatus(TIMES, 20 * MINUTE))).toContain('; this one has taken 20 minutes');
  expect([usualNextStatus(null, 0), usualNextStatus({ ...TIMES, count: 4 }, 0), nextWords(null)]).toEqual([
    null,
    null,
    null,
  ]);
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
  await inStory([], async ({ poll, home, service }) => {
    await poll(10, (swap) => withDeposit(swap));
    const { stdout } = await runHere(['status', ORDER], {
      home,
      env: profileAt(service.url),
      terminals: AT_TERMINAL,
    });
    expect(stdout).toMatch(/ Action +On hold: ask the service about this order\.\n/);
  });
});

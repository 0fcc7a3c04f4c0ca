import { expect, it } from 'vitest';
import { nextWords } from '../../src/views/swap.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import { profileAt } from '../helpers/scene.ts';
import { inStory, ORDER, withDeposit } from './history/scene.ts';

const MINUTE = 60_000;
const TIMES = { count: 20, p10: MINUTE, median: 3 * MINUTE, p90: 10 * MINUTE, next: 'exchanging' };

it('status says what usually happens next, and how long it takes where that has passed', () => {
  expect(nextWords(TIMES, MINUTE)).toBe(
    'usually exchanging after 3 minutes, for 9 of 10 swaps of this pair within 10 minutes',
  );
  expect(nextWords(TIMES, 20 * MINUTE)).toContain('; this one has taken 20 minutes');
  expect([nextWords(null, 0), nextWords({ ...TIMES, count: 4 }, 0)]).toEqual([null, null]);
});

it('status of one order says what a person has to do', async () => {
  await inStory([], async ({ poll, home, service }) => {
    await poll(10, (swap) => withDeposit(swap));
    const { stdout } = await runHere(['status', ORDER], {
      ...{ home, env: profileAt(service.url), terminals: AT_TERMINAL },
    });
    expect(stdout).toMatch(/ Action +On hold: ask the service about this order\.\n/);
  });
});

import { expect, it } from 'vitest';
import { contextOn, followAll, mostIn, recordSwap, SharedClock } from '../core/swaps/follow/followers.ts';
import { temporaryFolder } from '../helpers/home.ts';

const SWAPS = 1000;
const MEGABYTE = 1024 * 1024;

it('1,000 open swaps are followed to their end in bounded memory and within the rate limit', async () => {
  const clock = new SharedClock(1_790_000_000_000);
  const { context } = contextOn(clock, await temporaryFolder());
  const leave = clock.join();
  const operator = await context.operator();
  for (let made = 0; made < SWAPS; made += 1) {
    if (made % 100 === 99) await clock.sleep(60_000);
    await recordSwap(context);
  }
  await clock.sleep(60_000);
  const polls: number[] = [];
  const memory: number[] = [];
  let [ended, others] = [0, 0];
  const begun = clock.now();
  await followAll(context, {}, async (news) => {
    if (news.kind === 'seen') {
      polls.push(news.at);
      // Each swap is funded after its first poll, so that it changes while it is followed.
      if (news.swap.status === 'new') await operator.orders.deposit(news.swap.order ?? '');
    } else if (news.kind === 'ended' && news.swap?.status === 'success') ended += 1;
    else others += 1;
    if (polls.length % 250 === 0) memory.push(process.memoryUsage().heapUsed / MEGABYTE);
  });
  leave();
  await context.close();
  const minutes = (clock.now() - begun) / 60_000;
  process.stdout.write(
    `${polls.length} polls in ${minutes.toFixed(0)} minutes; MB of memory: ${memory.map(Math.round).join(' ')}\n`,
  );
  expect({ ended, others }).toEqual({ ended: SWAPS, others: 0 });
  expect(polls.length).toBeGreaterThanOrEqual(2 * SWAPS);
  expect(mostIn(polls, 60_000)).toBeLessThanOrEqual(60);
  const half = Math.floor(memory.length / 2);
  const most = (part: readonly number[]) => Math.max(...part);
  expect(most(memory.slice(half))).toBeLessThan(most(memory.slice(0, half)) + 60);
});

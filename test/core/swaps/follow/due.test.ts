import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { Due } from '../../../../src/core/swaps/follow/due.ts';
import {
  type FollowOptions,
  knownFirst,
  openProfile,
  recordPoll,
  trackFirst,
} from '../../../../src/core/swaps/follow/profile.ts';
import { LedgerAccess } from '../../../../src/core/swaps/ledger-access.ts';
import { shownSwap } from '../../../../src/core/swaps/lookup.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { everyEntry, OWNER, swapOf } from '../../ledger/entries.ts';
import { createdSwap, ledgerAt } from '../../ledger/events/ledgers.ts';
import { contextAt } from './followers.ts';

const NOW = 1_790_000_000_000;

/** A place that follows orders of a ledger, at which its first round is over. */
async function following(
  orders: readonly string[] | null,
  given: Partial<FollowOptions> = {},
  fill: (ledger: Ledger) => Promise<unknown> = async () => undefined,
) {
  const context = await contextAt(NOW);
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  await fill(ledger);
  const ports = { ...context, ledger: async () => ledger };
  const options = { intervalMs: null, budget: null, ...given };
  const access = new LedgerAccess(ports);
  const place = await openProfile({ ports, orders }, OWNER, access, options);
  await trackFirst(place, orders, access, options);
  place.isFirstRound = false;
  const due = new Due(ports, options, access);
  /** The poll that is due now. */
  const next = async () => {
    const found = await due.next(place, NOW);
    if (typeof found === 'number') throw new Error('nothing is due');
    return found;
  };
  const others = { owner: OWNER, orders: null, unseenSince: NOW };
  /** How many swaps another process can lease. */
  const free = async () => (await ledger.polls.claimDue(others, 'another', NOW)).length;
  return { due, place, ledger, next, free };
}

/** Records a swap that was seen some time ago. */
const seenAgo = (order: string, age: number) => (ledger: Ledger) => createdSwap(ledger, order, NOW - age);

it('of several orders due at the same time, the one named first is polled first', async () => {
  const { due, place } = await following(['BBB', 'AAA']);
  expect(await due.next(place, NOW)).toMatchObject({ tracked: { order: 'BBB' } });
});

it('of several orders missing from the ledger, the one due first is polled next', async () => {
  const { due, place } = await following(['AAA', 'BBB', 'CCC']);
  for (const [order, dueAt] of Object.entries({ AAA: NOW + 900, BBB: NOW + 700, CCC: NOW + 800 })) {
    const tracked = place.tracked.get(order);
    if (tracked !== undefined) tracked.dueAt = dueAt;
  }
  expect(await due.next(place, NOW)).toBe(700);
  expect(await due.next(place, NOW + 750)).toMatchObject({ tracked: { order: 'BBB' }, entry: null });
  Object.assign(place.tracked.get('BBB') ?? {}, { state: 'done' });
  expect(await due.next(place, NOW)).toBe(800);
  Object.assign(place.tracked.get('CCC') ?? {}, { isInFlight: true });
  expect(await due.next(place, NOW)).toBe(900);
});

it('a named order that the ledger has is leased like any other', async () => {
  const { due, place, free } = await following(['AAA'], { intervalMs: 1 }, seenAgo('AAA', 60_000));
  expect(await free()).toBe(1);
  expect(await due.next(place, NOW)).toBe(0);
});

it.each([
  // It is new: by its own schedule it is due half a minute after it was seen.
  ['its own pause', null, 30_000, 'AAA'],
  ['its own pause', null, 29_000, 1_000],
  ['its own pause', null, 1_000, 2_000],
  ['a shorter interval', 5_000, 5_000, 'AAA'],
  ['a shorter interval', 5_000, 4_999, 0],
  ['a longer interval', 60_000, 30_000, 0],
])('the next poll by %s (%j) of a swap seen %i ms ago is %j', async (_, intervalMs, age, next) => {
  const { due, place } = await following(null, { intervalMs }, seenAgo('AAA', age));
  const found = await due.next(place, NOW);
  expect(typeof found === 'number' ? found : found.tracked.order).toBe(next);
});

it.each([
  [5_000, 5_000],
  [null, 30_000],
])('with an interval of %j, an order not in the ledger is due after %i ms', async (intervalMs, wait) => {
  const { place, next } = await following(['AAA'], { intervalMs });
  const found = await next();
  const shown = shownSwap(place.ports, place.service, null, { swap: swapOf('AAA'), doubts: [] });
  recordPoll(found.tracked, { swap: shown, seenAt: NOW, unrecorded: null }, { monotonic: NOW, intervalMs });
  expect(found.tracked.dueAt - NOW).toBe(wait);
});

it('swaps of the ledger that were just shown are not shown again', async () => {
  const { place: other } = await following([]);
  const shown = shownSwap(other.ports, other.service, null, { swap: swapOf('AAA'), doubts: [] });
  const ours = { ...shown, profile: OWNER.profile };
  const given = { known: [ours, { ...shown, order: 'BBB', profile: 'another' }] };
  const { place, ledger } = await following(['AAA', 'BBB'], given, async (opened) => {
    for (const order of ['AAA', 'BBB']) await createdSwap(opened, order, NOW);
  });
  const known = knownFirst(place, await everyEntry(ledger));
  expect(known.map(({ swap, seenAt }) => [swap.order, seenAt])).toEqual([['BBB', NOW]]);
});

it('a ledger without open swaps is read again after two seconds', async () => {
  const { due, place } = await following(null);
  expect(await due.next(place, NOW)).toBe(2_000);
});

it('no poll is held back without a lease, or once its swap has ended', async () => {
  const followed = await following(['AAA', 'BBB'], { intervalMs: 1 }, seenAgo('BBB', 60_000));
  const { due, place, free } = followed;
  const local = await followed.next();
  expect(local.tracked.order).toBe('AAA');
  await due.hold(place, local, NOW + 1);
  expect(place.held).toBeNull();
  local.tracked.isInFlight = true;
  const next = await followed.next();
  expect(next.tracked.order).toBe('BBB');
  next.tracked.state = 'done';
  await due.hold(place, next, NOW + 1);
  expect(place.held).toBeNull();
  expect(await free()).toBe(1);
});

it.each([
  ['is kept up to 5 s', 5_000, true, 0],
  ['is returned if its poll would have too little time', 5_001, false, 1],
])('a lease that has to wait for the budget %s', async (_, wait, isKept, count) => {
  const { due, place, next, free } = await following(null, { intervalMs: 1 }, seenAgo('AAA', 60_000));
  const found = await next();
  await due.hold(place, found, NOW + wait);
  expect(place.held).toEqual(isKept ? { ...found, entry: null } : null);
  expect(await free()).toBe(count);
});

import { describe, expect, it } from 'vitest';
import { type Followed, POLL_LEASE_MS } from '../../../src/core/ledger/polls.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { OTHER, OWNER, observed } from './entries.ts';
import { createdSwap, ledgerAt } from './events/ledgers.ts';

const HOUR = 3_600_000;
const ALL: Followed = { owner: OWNER, orders: null, unseenSince: null };

describe.each(BOTH_DATABASES)('the poll schedule of a ledger on $kind', ({ fresh }) => {
  /** Handles on one ledger, as several processes have them, with swaps that were created at these times. */
  async function processes(swaps: Readonly<Record<string, number>>) {
    const location = await fresh();
    const [one, two] = [await ledgerAt(location), await ledgerAt(location)] as const;
    for (const [order, at] of Object.entries(swaps)) await createdSwap(one, order, at);
    return [one, two] as const;
  }

  const ordersOf = (entries: readonly { order: string | null }[]) => entries.map(({ order }) => order);

  it('hands out due swaps that are not claimed, the longest overdue first', async () => {
    const [one, two] = await processes({ A: 1000, B: 0, C: 20_000 });
    expect(await one.polls.nextDue(ALL, 0)).toBe(30_000);
    expect(await one.polls.claimDue(ALL, 'one', 29_999)).toEqual([]);
    expect(ordersOf(await one.polls.claimDue(ALL, 'one', 31_000))).toEqual(['B']);
    expect(ordersOf(await two.polls.claimDue(ALL, 'two', 31_000))).toEqual(['A']);
    expect(await two.polls.nextDue(ALL, 31_000)).toBe(50_000);
    expect(ordersOf(await two.polls.claimDue(ALL, 'two', 50_999))).toEqual(['C']);
  });

  it('ends the lease with the poll and schedules the next one', async () => {
    const [one, two] = await processes({ A: 0 });
    await one.polls.claimDue(ALL, 'one', 30_000);
    await one.seen(OWNER, observed('A', 1, 31_000));
    expect(await two.polls.nextDue(ALL, 31_000)).toBe(41_000);
    await two.seen(OWNER, observed('A', 10, 41_000));
    expect(await two.polls.nextDue(ALL, 41_000)).toBe(101_000);
    await two.seen(OWNER, observed('A', 4, 101_000));
    expect(await two.polls.nextDue(ALL, 101_000)).toBeNull();
    expect(await two.polls.claimDue(ALL, 'two', HOUR)).toEqual([]);
  });

  it('postpones a swap after a failed poll', async () => {
    const [one, two] = await processes({ A: 0 });
    const [entry] = await one.polls.claimDue(ALL, 'one', 30_000);
    await one.polls.postpone(entry?.id ?? '', 35_000);
    expect(await two.polls.claimDue(ALL, 'two', 34_999)).toEqual([]);
    expect(await two.polls.claimDue(ALL, 'two', 35_000)).toHaveLength(1);
  });

  it('is limited to the given account, orders, and unseenSince', async () => {
    const [ledger] = await processes({ A: 0, B: 5000 });
    const claimed = async (followed: Partial<Followed>) =>
      ordersOf(await ledger.polls.claimDue({ ...ALL, ...followed }, 'x', 31_000));
    expect(await claimed({ orders: ['B', 'Z'] })).toEqual([]);
    expect(await claimed({ owner: { ...OTHER, profile: OWNER.profile } })).toEqual([]);
    expect(await claimed({ orders: ['B'], unseenSince: 5000 })).toEqual([]);
    expect(await claimed({ orders: ['B'], unseenSince: 5001 })).toEqual(['B']);
    expect(await claimed({ orders: ['A'] })).toEqual(['A']);
  });

  it('lists swaps seen since a time by any process, final or not', async () => {
    const [one, two] = await processes({ A: 0, B: 1000, C: 2000 });
    await one.seen(OWNER, observed('A', 4, 5000));
    expect(ordersOf(await two.polls.seenSince(OWNER, 1000)).sort()).toEqual(['A', 'C']);
    expect(await two.polls.seenSince({ ...OTHER, profile: OWNER.profile }, 0)).toEqual([]);
  });

  it('lists which of the given swaps have ended', async () => {
    const [one, two] = await processes({ A: 0, B: 0, C: 0 });
    for (const order of ['A', 'C']) await one.seen(OWNER, observed(order, 4, 5000));
    const ids = (await one.polls.seenSince(OWNER, -1)).flatMap(({ id, order }) => (order === 'C' ? [] : id));
    expect(ids).toHaveLength(2);
    expect(ordersOf(await two.polls.ended(ids))).toEqual(['A']);
  });

  it('continues after the clock was set back', async () => {
    const [ledger] = await processes({ B: 0, A: HOUR });
    expect(await ledger.polls.nextDue(ALL, 1000)).toBe(1000);
    expect(await ledger.polls.claimDue({ ...ALL, unseenSince: 0 }, 'x', 1000)).toHaveLength(1);
    expect(await ledger.polls.nextDue(ALL, 1000 + POLL_LEASE_MS)).toBe(1000 + POLL_LEASE_MS);
    expect(await ledger.polls.claimDue(ALL, 'x', 1000 + POLL_LEASE_MS)).toHaveLength(1);
  });

  it('ignores a lease that ends too late because the clock was set back', async () => {
    const [one, two] = await processes({ A: 0 });
    const [entry] = await one.polls.claimDue({ ...ALL, unseenSince: HOUR }, 'one', HOUR);
    expect(await two.polls.claimDue(ALL, 'two', HOUR + POLL_LEASE_MS - 1)).toEqual([]);
    expect(await two.polls.nextDue(ALL, 60_000)).toBe(30_000);
    expect(ordersOf(await two.polls.claimDue(ALL, 'two', 60_000))).toEqual(['A']);
    await one.polls.postpone(entry?.id ?? '', HOUR);
    expect(await two.polls.claimDue(ALL, 'two', HOUR - 10 * 60_000)).toEqual([]);
    expect(ordersOf(await two.polls.claimDue(ALL, 'two', 60_000))).toEqual(['A']);
  });
});

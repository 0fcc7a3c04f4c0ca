import { describe, expect, it } from 'vitest';
import {
  DELIVERY_LEASE_MS,
  type DeliveryScope,
  RETRY_DELAYS_MS,
} from '../../../../src/core/ledger/events/deliveries.ts';
import type { Attempt, RecordedEvent } from '../../../../src/core/ledger/events/event.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { OTHER, OWNER, observed } from '../entries.ts';
import { ALL, createdSwap, eventsOf, ledgerAt } from './ledgers.ts';

const SCOPE = { account: OWNER.account, orders: null };

const attempt = (at: number, error: string | null = null): Attempt => ({
  at,
  target: 'http',
  httpStatus: error === null ? 204 : 500,
  error,
  milliseconds: 7,
});

/** A ledger to whose account someone listens, with swaps that went through these status codes. */
async function listenedTo(location: string, swaps: Readonly<Record<string, readonly number[]>>) {
  const ledger = await ledgerAt(location);
  await ledger.events.webhooks.listen(OWNER.account, 0);
  let at = 0;
  for (const [order, codes] of Object.entries(swaps)) {
    await createdSwap(ledger, order, ++at);
    for (const code of codes) await ledger.seen(OWNER, observed(order, code, ++at));
  }
  return ledger;
}

/** Leases one event. */
async function claimed(ledger: Ledger, now: number, holder = 'me', scope: DeliveryScope = SCOPE) {
  const [event = null] = await ledger.events.claim(scope, holder, now, 1);
  return event;
}

async function deliver(ledger: Ledger, now: number, error: string | null = null) {
  const event = await claimed(ledger, now);
  if (event === null) return null;
  await ledger.events.settle([{ event, attempts: [attempt(now, error)] }], now);
  return `${event.order} ${event.sequence}`;
}

describe.each(BOTH_DATABASES)('events to deliver on $kind', ({ kind, fresh }) => {
  it('are claimed and settled in batches, the longest overdue first', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1], BBBBBB: [], CCCCCC: [] });
    const { events } = ledger;
    const taken = await events.claim(SCOPE, 'me', 100, 2);
    expect(taken.map(({ order }) => order)).toEqual(['AAAAAA', 'BBBBBB']);
    const [first, second] = taken as [RecordedEvent, RecordedEvent];
    const outcomes = [
      { event: first, attempts: [attempt(100)] },
      { event: second, attempts: [attempt(100), attempt(100, 'responded with 500')] },
    ];
    await events.settle(outcomes, 100);
    const states = (await eventsOf(ledger)).map(({ order, sequence, delivery, ...event }) => {
      const { attempts, nextAttemptAt } = event;
      return [order, sequence, delivery, attempts, nextAttemptAt];
    });
    expect(states.toSorted()).toEqual([
      ['AAAAAA', 1, 'delivered', 1, null],
      ['AAAAAA', 2, 'pending', 0, 100],
      ['BBBBBB', 1, 'pending', 1, 5_100],
      ['CCCCCC', 1, 'pending', 0, expect.any(Number)],
    ]);
    expect(await events.attempts(second.id)).toHaveLength(2);
  });

  it('wait at most one pause or lease after the clock was set back', async () => {
    const location = await fresh();
    const [hour, minute] = [3_600_000, 60_000];
    const ledger = await listenedTo(location, { AAAAAA: [], BBBBBB: [], CCCCCC: [] });
    expect(await deliver(ledger, hour)).toBe('AAAAAA 1');
    expect(await deliver(ledger, hour, 'responded with 500')).toBe('BBBBBB 1');
    await ledger.seen(OWNER, observed('AAAAAA', 1, hour));
    expect(await claimed(ledger, hour, 'killed')).toMatchObject({ order: 'CCCCCC' });
    const back = await ledgerAt(location);
    const after = [];
    for (let event = await claimed(back, minute); event !== null; event = await claimed(back, minute))
      after.push(event.order);
    expect(after.toSorted()).toEqual(['AAAAAA', 'BBBBBB', 'CCCCCC']);
  });

  it('are searched every five seconds by a listener whose clock was set back', async () => {
    const location = await fresh();
    const ledger = await listenedTo(location, { AAAAAA: [] });
    const back = await ledgerAt(location);
    expect(await deliver(ledger, 100)).toBe('AAAAAA 1');
    expect(await claimed(back, 200)).toBeNull();
    await ledger.seen(OWNER, observed('AAAAAA', 1, 3_600_000));
    expect(await claimed(back, 5_199)).toBeNull();
    expect(await claimed(back, 5_200)).toMatchObject({ sequence: 2 });
  });

  it('keep their retry pause if the clocks of two machines differ slightly', async () => {
    const location = await fresh();
    const ledger = await listenedTo(location, { AAAAAA: [] });
    expect(await deliver(ledger, 100_000, 'responded with 500')).toBe('AAAAAA 1');
    expect(await claimed(await ledgerAt(location), 50_000)).toBeNull();
    await createdSwap(ledger, 'BBBBBB', 50_000);
    expect(await ledger.events.nextDue(SCOPE)).toBe(50_000);
  });

  it('are retried on schedule with the same ID and body, then fail until they are resent', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1] });
    const [before] = await eventsOf(ledger);
    let now = 1_000;
    const pauses: number[] = [];
    for (;;) {
      expect(await deliver(ledger, now, 'responded with 500')).toBe('AAAAAA 1');
      const [event] = await eventsOf(ledger);
      expect([event?.id, event?.body]).toEqual([before?.id, before?.body]);
      expect(event?.lastError).toBe('responded with 500');
      if (event?.delivery === 'failed') break;
      const due = event?.nextAttemptAt ?? 0;
      pauses.push(due - now);
      expect(await deliver(ledger, due - 1)).toBeNull();
      now = due;
    }
    expect(pauses).toEqual(RETRY_DELAYS_MS);
    expect(pauses.map((pause) => pause / 1000)).toEqual([5, 30, 120, 600, 3_600, 14_400, 43_200, 86_400]);
    const [failed] = await eventsOf(ledger);
    expect([failed?.attempts, failed?.nextAttemptAt]).toEqual([9, null]);
    expect(await deliver(ledger, now)).toBe('AAAAAA 2');

    expect(await ledger.events.resend(failed?.id ?? '', now)).toBe(true);
    expect(await ledger.events.resend('evt_none', now)).toBe(false);
    expect(await ledger.events.byId(failed?.id ?? '')).toMatchObject({ delivery: 'pending', attempts: 0 });
    expect(await deliver(ledger, now + 1)).toBe('AAAAAA 1');
    expect((await eventsOf(ledger)).map(({ delivery }) => delivery)).toEqual(['delivered', 'delivered']);
    const attempts = await ledger.events.attempts(failed?.id ?? '');
    expect(attempts.map(({ error }) => error)).toEqual([...Array(9).fill('responded with 500'), null]);
    expect(attempts[0]).toEqual(attempt(1_000, 'responded with 500'));
  });

  it('wait behind an earlier event that is resent, also while they are on their way', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1] });
    expect(await deliver(ledger, 100)).toBe('AAAAAA 1');
    const second = (await claimed(ledger, 100)) as RecordedEvent;
    const [first] = await eventsOf(ledger);
    await ledger.events.resend(first?.id ?? '', 200);
    await ledger.events.settle([{ event: second, attempts: [attempt(200, 'no')] }], 200);
    expect(await deliver(ledger, 300, 'no')).toBe('AAAAAA 1');
    expect(await deliver(ledger, 5_250)).toBeNull();
    expect(await deliver(ledger, 10_000)).toBe('AAAAAA 1');
    expect(await deliver(ledger, 10_000)).toBe('AAAAAA 2');
    expect(await deliver(ledger, 10_000)).toBeNull();
  });

  it('keep their retry pause if a later event, or one of another swap, is resent', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1], BBBBBB: [1] });
    expect([await deliver(ledger, 99), await deliver(ledger, 100)]).toEqual(['AAAAAA 1', 'BBBBBB 1']);
    for (const order of ['AAAAAA 2', 'BBBBBB 2']) expect(await deliver(ledger, 100, 'no')).toBe(order);
    const events = (await eventsOf(ledger)).map(({ id, order, sequence }) => [`${order} ${sequence}`, id]);
    const ids = Object.fromEntries(events) as Readonly<Record<string, string>>;
    await ledger.seen(OWNER, observed('BBBBBB', 3, 90));
    const [third] = (await eventsOf(ledger)).filter(({ sequence }) => sequence === 3);
    await ledger.events.resend(ids['AAAAAA 1'] ?? '', 200);
    await ledger.events.resend(third?.id ?? '', 200);
    const due = [await deliver(ledger, 200), await deliver(ledger, 200), await deliver(ledger, 200)];
    expect(due).toEqual(['AAAAAA 1', 'AAAAAA 2', null]);
    expect(await deliver(ledger, 5_099)).toBeNull();
    expect([await deliver(ledger, 5_100), await deliver(ledger, 5_100)]).toEqual(['BBBBBB 2', 'BBBBBB 3']);
  });

  it('do not stay pending if one is recorded while the previous one is settled', async () => {
    const location = await fresh();
    const ledger = await listenedTo(location, { AAAAAA: [] });
    const other = await ledgerAt(location);
    const codes = [1, 3, 10, 1, 3, 10, 1, 3];
    for (const [index, code] of codes.entries())
      await Promise.all([other.seen(OWNER, observed('AAAAAA', code, 10 + index)), deliver(ledger, 1_000)]);
    while ((await deliver(ledger, 1_000)) !== null);
    const states = (await eventsOf(ledger)).map(({ delivery, sequence }) => [sequence, delivery]);
    expect(states).toEqual([1, ...codes].map((_, index) => [index + 1, 'delivered']));
  });

  it('are skipped if no target wants them, without blocking later ones', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1] });
    const event = await claimed(ledger, 100, 'me');
    if (event !== null) await ledger.events.settle([{ event, attempts: null }], 100);
    expect(await deliver(ledger, 100)).toBe('AAAAAA 2');
    const states = (await eventsOf(ledger)).map(({ delivery, attempts }) => `${delivery} ${attempts}`);
    expect(states).toEqual(['none 0', 'delivered 1']);
  });

  it('are limited to the given account and orders', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [], BBBBBB: [] });
    const { events } = ledger;
    const mine = { ...SCOPE, orders: ['BBBBBB'] };
    expect(await claimed(ledger, 100, 'me', { ...SCOPE, account: OTHER.account })).toBeNull();
    expect(await events.undelivered('other')).toBe(0);
    expect(await events.undelivered(OWNER.account)).toBe(2);
    expect(await claimed(ledger, 100, 'me', mine)).toMatchObject({ order: 'BBBBBB' });
    expect(await claimed(ledger, 100, 'me', mine)).toBeNull();
  });

  it('are pruned in small steps once they were delivered long ago', async () => {
    const codes = Array.from({ length: 54 }, (_, index) => (index % 2 === 0 ? 1 : 10));
    const ledger = await listenedTo(await fresh(), { KEPT: [], OLD: codes });
    expect(await deliver(ledger, 100, 'no')).toBe('KEPT 1');
    while ((await deliver(ledger, 1_000)) !== null);
    expect(await ledger.events.pruneDelivered(1_000)).toBe(0);
    for (const count of [50, 5, 0]) expect(await ledger.events.pruneDelivered(1_001)).toBe(count);
    const { events, count } = await ledger.events.list(ALL, null);
    expect([events.map(({ order, sequence }) => [order, sequence]), count]).toEqual([[['KEPT', 1]], 1]);
  });

  it('stay delivered if a slower attempt of another listener fails', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [] });
    const event = await claimed(ledger, 100, 'slow');
    const late = 100 + DELIVERY_LEASE_MS;
    expect(await deliver(ledger, late)).toBe('AAAAAA 1');
    if (event !== null) await ledger.events.settle([{ event, attempts: [attempt(100, 'no')] }], late + 1);
    const state = { delivery: 'delivered', attempts: 1, nextAttemptAt: null };
    expect(await eventsOf(ledger)).toMatchObject([state]);
  });

  it('are kept if one is resent while it is being pruned', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [] });
    expect(await deliver(ledger, 100)).toBe('AAAAAA 1');
    const [event] = await eventsOf(ledger);
    const removed = ledger.events.pruneDelivered(1_000);
    const [gone] = await Promise.all([removed, ledger.events.resend(event?.id ?? '', 200)]);
    expect(await eventsOf(ledger)).toHaveLength(1 - gone);
    // On PostgreSQL either of the two may come first.
    if (kind === 'sqlite') expect(gone).toBe(0);
  });

  it('are read by ID and counted by swap, for any number of IDs', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1] });
    const [event] = await eventsOf(ledger);
    const others = Array.from({ length: 1200 }, (_, at) => `none-${at}`);
    expect(await ledger.events.byIds([event?.id ?? '', ...others])).toHaveLength(1);
    const id = event?.intentId ?? '';
    expect([...(await ledger.events.counts([...others, id]))]).toEqual([[id, 2]]);
  });

  it('are listed newest first and filtered by order, profile, time and delivery', async () => {
    const ledger = await listenedTo(await fresh(), { AAAAAA: [1, 3], BBBBBB: [] });
    expect(await deliver(ledger, 100)).toBe('AAAAAA 1');
    const list = async (filter: Partial<Parameters<typeof ledger.events.list>[0]>, limit: number | null) => {
      const { events, count } = await ledger.events.list({ ...ALL, ...filter }, limit);
      return [events.map(({ order, sequence }) => `${order} ${sequence}`), count];
    };
    expect(await list({}, null)).toEqual([['BBBBBB 1', 'AAAAAA 3', 'AAAAAA 2', 'AAAAAA 1'], 4]);
    expect(await list({}, 2)).toEqual([['BBBBBB 1', 'AAAAAA 3'], 4]);
    expect(await list({ order: 'AAAAAA', since: 2 }, null)).toEqual([['AAAAAA 3', 'AAAAAA 2'], 2]);
    expect(await list({ undelivered: true, order: 'AAAAAA' }, 1)).toEqual([['AAAAAA 3'], 2]);
    expect(await list({ profile: 'other' }, null)).toEqual([[], 0]);
  });
});

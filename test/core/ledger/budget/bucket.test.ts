import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BucketState,
  newBucket,
  observe,
  take,
  tokensLeft,
} from '../../../../src/core/ledger/budget/bucket.ts';
import {
  type BudgetLimit,
  mostFor,
  programMs,
  type Taker,
} from '../../../../src/core/ledger/budget/limit.ts';
import type { RateAnswer } from '../../../../src/core/swap/rate-limit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT: BudgetLimit = { requests: 60, durationMs: MINUTE };
const SILENT: RateAnswer = { status: 200, limit: null, remaining: null, resetMs: null, retryAfterMs: null };
const REFUSED: RateAnswer = { ...SILENT, status: 429 };

const anyLimit = fc.record({
  requests: fc.integer({ min: 1, max: 100 }),
  durationMs: fc.integer({ min: 1000, max: HOUR }),
});

/** Waits are whole milliseconds, which counts where a token is due every few of them. */
const longEnough = anyLimit.filter(({ durationMs }) => durationMs >= 10_000);

/** Takes as many tokens as there are until a time, one after the other; the times at which they were taken. */
function takeUntil(state: BucketState, limit: BudgetLimit, from: number, until: number, taker?: Taker) {
  const times: number[] = [];
  let bucket = state;
  for (let now = from; now < until; ) {
    const { state: next, waitMs } = take(bucket, limit, now, taker);
    bucket = next;
    if (waitMs === 0) times.push(now);
    now += waitMs;
  }
  return { times, bucket };
}

/** Most of some times that lie in any window of a length. */
function mostIn(times: readonly number[], length: number): number {
  let [most, first] = [0, 0];
  for (const [index, time] of times.entries()) {
    while ((times[first] ?? time) <= time - length) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

it('the burst of a program is at least one request and takes no time', () => {
  const limit = { requests: 3, durationMs: MINUTE };
  expect([1, 2, 3].map((count) => programMs(count, limit))).toEqual([0, MINUTE / 2, 1.5 * MINUTE]);
});

it('tokens taken a 250th of the duration apart are freed one by one', () => {
  let bucket = newBucket(0);
  for (const now of [480, 720]) bucket = take(bucket, LIMIT, now, 'person').state;
  const left = [MINUTE + 479, MINUTE + 480, MINUTE + 719, MINUTE + 720];
  expect(left.map((now) => tokensLeft(bucket, LIMIT, now))).toEqual([58, 59, 59, 60]);
});

describe('a bucket', () => {
  it('never exceeds its budget in any window, whatever callers and the service do', () => {
    const step = fc.record({
      pause: fc.integer({ min: 0, max: 20_000 }),
      taker: fc.constantFrom<Taker>('person', 'list', 'program'),
      answer: fc.constantFrom(
        SILENT,
        REFUSED,
        { ...REFUSED, retryAfterMs: 2000 },
        { ...SILENT, limit: 120, remaining: 60, resetMs: 30_000 },
      ),
    });
    fc.assert(
      fc.property(anyLimit, fc.array(step, { maxLength: 150 }), (limit, steps) => {
        const times: number[] = [];
        let [bucket, now] = [newBucket(0), 0];
        for (const { pause, taker, answer } of steps) {
          now += pause;
          const taken = take(bucket, limit, now, taker);
          if (taken.waitMs === 0) times.push(now);
          bucket = observe(taken.state, limit, answer, now);
        }
        expect(mostIn(times, limit.durationMs)).toBeLessThanOrEqual(limit.requests);
      }),
    );
  });

  it.each(['person', 'list', 'program'] as const)('lets a %s that waits use 24/25 of its share', (taker) => {
    fc.assert(
      fc.property(longEnough, (limit) => {
        const windows = 6;
        const { times } = takeUntil(newBucket(0), limit, 0, windows * limit.durationMs, taker);
        // Alone, a list has the share of the programs too.
        const most = mostFor(taker === 'list' ? 'program' : taker, limit.requests);
        expect(times.length).toBeGreaterThanOrEqual(Math.floor(most * windows * (24 / 25)) - 1);
        expect(mostIn(times, limit.durationMs)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 20, examples: [[{ requests: 1, durationMs: MINUTE }]] },
    );
  });

  it('lets a program use half of the budget in a burst, and keeps a tenth for people', () => {
    const { times, bucket } = takeUntil(newBucket(0), LIMIT, 0, MINUTE);
    expect(times.filter((time) => time === 0)).toHaveLength(30);
    expect(times).toHaveLength(54);
    const gaps = times.slice(30).map((time, index) => time - (times[29 + index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2500);
    expect(takeUntil(bucket, LIMIT, MINUTE - 1, MINUTE, 'person').times).toHaveLength(6);
  });

  it('keeps an even pace for a program after the first window, without another burst', () => {
    const { times } = takeUntil(newBucket(0), LIMIT, 0, 5 * MINUTE);
    const late = times.filter((time) => time >= MINUTE);
    const gaps = late.slice(1).map((time, index) => time - (late[index] ?? 0));
    expect(mostIn(late, 10_000)).toBeLessThanOrEqual(10);
    expect(Math.max(...gaps)).toBeLessThan(3000);
  });

  it('takes as long for any number of requests as estimated', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 300 }), (requests, count) => {
        const limit = { requests, durationMs: MINUTE };
        const gap = MINUTE / mostFor('program', requests);
        const { times } = takeUntil(newBucket(0), limit, 0, 2 * MINUTE + count * gap);
        expect(Math.abs((times[count - 1] ?? 0) - programMs(count, limit))).toBeLessThan(3 * gap + 2000);
      }),
    );
  });

  it('lets a person use two thirds of the budget in a burst, and keeps the rest for programs', () => {
    const { times, bucket } = takeUntil(newBucket(0), LIMIT, 0, MINUTE, 'person');
    expect(times.filter((time) => time === 0)).toHaveLength(40);
    expect(times).toHaveLength(40);
    expect(takeUntil(bucket, LIMIT, 0, MINUTE).times).toHaveLength(20);
  });

  it.each<[Taker, readonly Taker[]]>([
    ['person', ['list', 'program']],
    ['program', ['person', 'list']],
    ['list', ['program']],
  ])('keeps a share for a %s, however much %j take', (taker, others) => {
    const step = fc.record({
      pause: fc.integer({ min: 0, max: 3000 }),
      other: fc.constantFrom(...others),
      asks: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 60 }), fc.array(step), (requests, steps) => {
        const limit = { requests, durationMs: MINUTE };
        let [bucket, now] = [newBucket(0), 0];
        for (const { pause, other, asks } of steps) {
          now += pause;
          for (let asked = 0; asked < asks; asked += 1) bucket = take(bucket, limit, now, other).state;
        }
        const kept = requests - Math.max(...others.map((other) => mostFor(other, requests)));
        // A list that was alone has used the share of the programs too, which comes back.
        const until = now + (taker === 'program' ? 2 : 1) * MINUTE;
        const { times } = takeUntil(bucket, limit, now, until, taker);
        if (taker !== 'list')
          expect(times.length).toBeGreaterThanOrEqual(Math.min(kept, mostFor(taker, requests)));
        else expect(times.length).toBeGreaterThan(0);
        const first = times.filter((time) => time === now).length;
        if (taker === 'person') expect(first).toBeGreaterThanOrEqual(Math.ceil(requests / 10));
      }),
      { numRuns: 60 },
    );
  });

  it('frees tokens one duration after they were taken', () => {
    const { bucket } = takeUntil(newBucket(0), LIMIT, 0, 1);
    expect(tokensLeft(bucket, LIMIT, 1)).toBe(30);
    expect(tokensLeft(bucket, LIMIT, MINUTE - 1)).toBe(30);
    expect(tokensLeft(bucket, LIMIT, MINUTE)).toBe(60);
  });

  it('counts the tokens of a process with a longer duration', () => {
    const perHour = { requests: 100, durationMs: HOUR };
    const { bucket } = takeUntil(newBucket(0), perHour, 0, 1);
    const later = takeUntil(bucket, LIMIT, 10 * MINUTE, 10 * MINUTE + 1).bucket;
    expect(tokensLeft(later, perHour, 10 * MINUTE)).toBe(20);
  });

  it("keeps a tenth of the service's own limit for people", () => {
    const last = { ...SILENT, limit: 120, remaining: 12, resetMs: 30_000 };
    const reported = observe(newBucket(0), LIMIT, last, 0);
    for (const taker of ['program', 'list'] as const)
      expect(take(reported, LIMIT, 0, taker).waitMs).toBe(30_000);
    expect(take(reported, LIMIT, 0, 'person').waitMs).toBe(0);
    const none = observe(newBucket(0), LIMIT, { ...last, remaining: 0 }, 0);
    expect(take(none, LIMIT, 0, 'person').waitMs).toBe(30_000);
  });

  it.each([
    ['retryAfterMs', 17_000],
    ['resetMs', 17_000],
    ['resetMs', 1],
  ])('waits for the end of %s (%i), then keeps its pace if others filled the window', (header, wait) => {
    const reported = observe(newBucket(0), LIMIT, { ...REFUSED, [header]: wait }, 0);
    expect(take(reported, LIMIT, 0).waitMs).toBe(wait);
    expect(take(reported, LIMIT, wait).waitMs).toBe(0);
    expect(tokensLeft(reported, LIMIT, wait)).toBe(60);
  });

  it('lowers its budget after Retry-After if it filled the window itself', () => {
    const { bucket } = takeUntil(newBucket(0), LIMIT, 0, MINUTE - 1);
    const reported = observe(bucket, LIMIT, { ...REFUSED, retryAfterMs: 1000 }, MINUTE - 1);
    expect(tokensLeft(reported, LIMIT, 3 * MINUTE)).toBe(53);
  });

  it('halves its pace once for simultaneous 429s without headers, and recovers slowly', () => {
    let bucket = observe(newBucket(0), LIMIT, REFUSED, 0);
    for (let index = 0; index < 5; index += 1) bucket = observe(bucket, LIMIT, REFUSED, 1);
    expect(tokensLeft(bucket, LIMIT, 1)).toBe(30);
    expect(take(bucket, LIMIT, 1).waitMs).toBe(2000);
    const left: number[] = [];
    for (let minutes = 5; minutes <= 60; minutes += 5) {
      bucket = take(bucket, LIMIT, minutes * MINUTE).state;
      left.push(tokensLeft(bucket, LIMIT, minutes * MINUTE) + 1);
    }
    expect(left).toEqual([33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 60, 60]);
    const [day, again] = [24 * HOUR, observe(bucket, LIMIT, REFUSED, 24 * HOUR)];
    expect(tokensLeft(again, LIMIT, day)).toBe(30);
  });

  it('stays below the refused number of requests for an hour', () => {
    const { bucket } = takeUntil(newBucket(0), LIMIT, 0, 50_000);
    const used = 60 - tokensLeft(bucket, LIMIT, 50_000);
    const refused = observe(bucket, LIMIT, REFUSED, 50_000);
    let later = refused;
    const most = [30, 59, 80].map((minutes) => {
      later = take(later, LIMIT, minutes * MINUTE).state;
      return tokensLeft(later, LIMIT, minutes * MINUTE) + 1;
    });
    expect(most).toEqual([45, used - 1, 60]);
    expect(tokensLeft(refused, LIMIT, 50_000 + HOUR - 1)).toBe(used - 1);
    expect(tokensLeft(refused, LIMIT, 50_000 + HOUR)).toBe(60);
  });

  it.each([
    ['its limit in every response', ['limit', 'remaining', 'resetMs', 'retryAfterMs'], 0],
    ['when to try again', ['retryAfterMs'], 1],
    ['nothing', [], 1],
  ])('receives at most one 429 an hour from a service that allows less and reports %s', (_, names, most) => {
    let [bucket, ends, count, requests, refusals] = [newBucket(0), 0, 0, 0, 0];
    for (let now = 0; now < HOUR; ) {
      const taken = take(bucket, LIMIT, now);
      bucket = taken.state;
      now += taken.waitMs;
      if (taken.waitMs > 0) continue;
      if (now >= ends) [ends, count] = [now + MINUTE, 0];
      requests += 1;
      count += 1;
      const status = count > 40 ? 429 : 200;
      // Whole seconds, as the sandbox and others send it.
      const resetMs = Math.ceil((ends - now) / 1000) * 1000;
      const all = { limit: 40, remaining: Math.max(0, 40 - count), resetMs };
      const stated = { ...all, retryAfterMs: status === 429 ? resetMs : null };
      const reported = Object.fromEntries(Object.entries(stated).filter(([name]) => names.includes(name)));
      bucket = observe(bucket, LIMIT, { ...SILENT, ...reported, status }, now);
      refusals += status === 429 ? 1 : 0;
    }
    expect(refusals).toBe(most);
    // Half of the service's limit at the least.
    expect(requests).toBeGreaterThan(60 * 20);
  });

  it("stops before the service's limit is used up, and keeps a tenth for people", () => {
    const printed = { ...SILENT, limit: 20, remaining: 4, resetMs: 30_000 };
    const bucket = observe(newBucket(0), LIMIT, printed, 0);
    const { times } = takeUntil(bucket, LIMIT, 0, 30_000);
    expect(times).toHaveLength(2);
    const none = observe(newBucket(0), LIMIT, { ...printed, remaining: 0 }, 0);
    expect(take(none, LIMIT, 0).waitMs).toBe(30_000);
    expect(take(none, LIMIT, 30_000).waitMs).toBe(0);
  });

  it("uses the count of the service's next window, however short its windows are", () => {
    const window = { ...SILENT, limit: 20, resetMs: 1000 };
    const used = observe(newBucket(0), LIMIT, { ...window, remaining: 0 }, 0);
    const next = observe(used, LIMIT, { ...window, remaining: 19 }, 1000);
    expect(take(next, LIMIT, 1000).waitMs).toBe(0);
  });

  it('waits at most one duration after the clock was set back', () => {
    const { bucket } = takeUntil(newBucket(HOUR), LIMIT, HOUR, HOUR + MINUTE - 1);
    const back = take(observe(bucket, LIMIT, { ...REFUSED, retryAfterMs: 5000 }, HOUR + MINUTE), LIMIT, 0);
    expect(back.waitMs).toBeLessThanOrEqual(MINUTE);
  });
});

describe('a list', () => {
  const start = 10 * MINUTE;

  it('may use the share of programs if none took a token in the last window', () => {
    expect(takenBy('list', newBucket(0), start)).toBe(54);
    const before = take(newBucket(0), LIMIT, start - MINUTE).state;
    expect(takenBy('list', before, start)).toBe(54);
    const beside = take(newBucket(0), LIMIT, start - MINUTE + 1).state;
    expect(takenBy('list', beside, start)).toBe(34);
  });

  it('leaves a tenth for people, with or without programs', () => {
    const { state } = takeAll('list', newBucket(0), start);
    expect(takenBy('person', state, start)).toBe(6);
  });

  it('stops using the share of programs as soon as a program waits', () => {
    const { state } = takeAll('list', newBucket(0), start);
    const waiting = take(state, LIMIT, start + 1);
    expect(waiting.waitMs).toBeGreaterThan(0);
    const back = start + MINUTE;
    const { state: later } = takeAll('list', waiting.state, back);
    expect(tokensLeft(later, LIMIT, back)).toBe(60 - 34);
    expect(take(later, LIMIT, back).waitMs).toBeLessThan(3_000);
  });

  function takeAll(taker: Taker, from: BucketState, now: number) {
    let [state, count] = [from, 0];
    for (;;) {
      const taken = take(state, LIMIT, now, taker);
      if (taken.waitMs > 0) return { state, count };
      [state, count] = [taken.state, count + 1];
    }
  }

  const takenBy = (...taking: Parameters<typeof takeAll>) => takeAll(...taking).count;
});

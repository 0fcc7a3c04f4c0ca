import { expect, it } from 'vitest';
import {
  type BucketState,
  newBucket,
  observe,
  take,
  tokensLeft,
} from '../../../../src/core/ledger/budget/bucket.ts';
import type { BudgetLimit, Taker } from '../../../../src/core/ledger/budget/limit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT: BudgetLimit = { requests: 60, durationMs: MINUTE };
const SILENT = { status: 200, limit: null, remaining: null, resetMs: null, retryAfterMs: null };
const REFUSED = { ...SILENT, status: 429 };

/** A bucket from which each of these takes a token as soon as it may, and the time by then. */
function after(takers: readonly Taker[], limit = LIMIT, start = 0, pause = 0) {
  let [state, now] = [newBucket(start), start];
  for (const taker of takers) {
    let taken = take(state, limit, now, taker);
    for (let tries = 0; taken.waitMs > 0; tries += 1) {
      if (tries > 9) throw new Error('a token is put off again and again');
      now += taken.waitMs;
      taken = take(taken.state, limit, now, taker);
    }
    state = taken.state;
    now += pause;
  }
  return { state, now };
}

const times = (count: number, taker: Taker): readonly Taker[] => Array<Taker>(count).fill(taker);

it('reports whose limit a wait is for, and that nothing is left', () => {
  const { state, now } = after([...times(40, 'person'), ...times(20, 'program')]);
  expect(tokensLeft(state, LIMIT, now)).toBe(0);
  expect(take(state, LIMIT, now, 'person')).toMatchObject({ waitMs: MINUTE - now, waitsFor: 'budget' });
  const reported = observe(newBucket(0), LIMIT, { ...SILENT, limit: 9, remaining: 0, resetMs: 500 }, 0);
  expect(take(reported, LIMIT, 0)).toMatchObject({ waitMs: 500, waitsFor: 'service' });
});

it('gives a list nothing of what all of them have used up together', () => {
  const { state, now } = after([...times(45, 'program'), ...times(15, 'person')]);
  expect(now).toBeLessThan(MINUTE);
  expect(take(state, LIMIT, now, 'list').waitMs).toBe(MINUTE - now);
});

it('spreads what persons have left for a program', () => {
  const { state } = after(times(40, 'person'));
  expect(take(state, LIMIT, 0).waitMs).toBe(Math.ceil(MINUTE / 21));
});

it('waits for a token that the taker may have, not for the first that comes back', () => {
  const limit = { requests: 6, durationMs: MINUTE };
  const { state, now } = after(['program', ...times(4, 'person')], limit, 0, 1000);
  expect(take(state, limit, now, 'person').waitMs).toBe(1000 + MINUTE - now);
});

it.each([
  [30, 60, 29],
  [29, 60, 60],
  [1, 2, 1],
])('learns from Retry-After after %i of its %i requests that %i go well', (used, requests, expected) => {
  const limit = { requests, durationMs: MINUTE };
  const { state } = after(times(used, 'program'), limit);
  const reported = observe(state, limit, { ...REFUSED, retryAfterMs: 1000 }, 0);
  expect(tokensLeft(reported, limit, 2 * MINUTE)).toBe(expected);
});

it('counts every token of those that were taken at nearly the same time', () => {
  let { state } = after(['person']);
  for (const now of [1000, 1001, 1002]) ({ state } = take(state, LIMIT, now, 'person'));
  expect([state.taken.length, tokensLeft(state, LIMIT, 1002)]).toEqual([2, 56]);
});

it.each([
  { status: 429, retryAfterMs: 2 * HOUR },
  { remaining: 0, resetMs: 2 * HOUR },
])('pauses for no longer than an hour, although a service says %j', (answer) => {
  expect(take(observe(newBucket(0), LIMIT, { ...SILENT, ...answer }, 0), LIMIT, 0).waitMs).toBe(HOUR);
});

it('does not take a window of which the service does not say what is left', () => {
  const reported = observe(newBucket(0), LIMIT, { ...SILENT, limit: 60, resetMs: 30_000 }, 0);
  expect(take(reported, LIMIT, 0).waitMs).toBe(0);
});

it.each([
  ['the same window, of which answers overtake each other,', 27_999, 29_999],
  ['another window', 27_998, 0],
])('of %s the service says what is left', (_, resetMs, expected) => {
  const window = { ...SILENT, limit: 20, remaining: 0, resetMs: 30_000 };
  const reported = observe(newBucket(0), LIMIT, window, 0);
  const later = observe(reported, LIMIT, { ...window, remaining: 19, resetMs }, 1);
  expect(take(later, LIMIT, 1).waitMs).toBe(expected);
});

it('goes no slower than a 64th of its budget', () => {
  const limit = { requests: 640, durationMs: MINUTE };
  let state = newBucket(0);
  for (let refusals = 0; refusals < 9; refusals += 1) state = observe(state, limit, REFUSED, refusals * 6000);
  expect(tokensLeft(state, limit, 9 * 6000)).toBe(10);
});

it('lets a person take the last that the service has left, and a program half of its limit without a pause', () => {
  const reported = (remaining: number) =>
    observe(after(['program']).state, LIMIT, { ...SILENT, limit: 120, remaining, resetMs: MINUTE }, 0);
  expect(take(reported(1), LIMIT, 0, 'person').waitMs).toBe(0);
  expect(take(reported(73), LIMIT, 0).waitMs).toBe(0);
  expect(take(reported(72), LIMIT, 0).waitMs).toBe(Math.ceil(MINUTE / 61));
  const fresh = observe(newBucket(0), LIMIT, { ...SILENT, limit: 120, remaining: 72, resetMs: MINUTE }, 0);
  expect(take(fresh, LIMIT, 0).waitMs).toBe(0);
});

it("keeps the service's window where an answer gives another one that is over", () => {
  const window = { ...SILENT, limit: 20, remaining: 0, resetMs: 30_000 };
  const reported = observe(newBucket(0), LIMIT, window, 0);
  for (const resetMs of [0, -1]) {
    const later = observe(reported, LIMIT, { ...window, remaining: 9, resetMs }, 1);
    expect(take(later, LIMIT, 1).waitMs).toBe(29_999);
  }
});

it('remembers for the longest duration only while it remembers anything', () => {
  const perHour = { requests: 100, durationMs: HOUR };
  const { state } = after(['program'], perHour);
  const kept = observe(state, LIMIT, SILENT, HOUR - 1);
  expect([kept.keepMs, kept.taken.length]).toEqual([HOUR, 1]);
  const over = observe(kept, LIMIT, SILENT, HOUR);
  expect([observe(over, LIMIT, SILENT, HOUR).keepMs, over.taken]).toEqual([MINUTE, []]);
});

it.each([
  [MINUTE, 2 * MINUTE],
  [MINUTE + 1, MINUTE],
])('after a clock was %i ms behind waits %i ms', (behind, expected) => {
  const limit = { requests: 1, durationMs: MINUTE };
  const { state } = after(['program'], limit, HOUR);
  expect(take(state, limit, HOUR - behind).waitMs).toBe(expected);
});

it('continues after a clock was set back as if it had not been', () => {
  const used = after([...times(35, 'program'), ...times(10, 'person')], LIMIT, 2 * HOUR);
  const windowed = { ...SILENT, limit: 120, remaining: 40, resetMs: 20_000 };
  const states: readonly BucketState[] = [
    used.state,
    observe(used.state, LIMIT, windowed, used.now),
    observe(used.state, LIMIT, { ...windowed, remaining: 0 }, used.now),
    observe(used.state, LIMIT, { ...REFUSED, retryAfterMs: 5000 }, used.now),
    observe(used.state, LIMIT, REFUSED, used.now),
  ];
  for (const state of states) {
    const on = observe(state, LIMIT, SILENT, used.now);
    const back = observe(state, LIMIT, SILENT, used.now - HOUR);
    for (const ms of [0, 1000, 15_000, 30_000, MINUTE, 6 * MINUTE, 59 * MINUTE, HOUR, 2 * HOUR]) {
      expect(tokensLeft(back, LIMIT, used.now - HOUR + ms)).toBe(tokensLeft(on, LIMIT, used.now + ms));
      for (const taker of ['person', 'list', 'program'] as const)
        expect(take(back, LIMIT, used.now - HOUR + ms, taker).waitMs).toBe(
          take(on, LIMIT, used.now + ms, taker).waitMs,
        );
    }
  }
});

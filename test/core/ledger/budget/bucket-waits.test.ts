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

it('a wait states whether it is for the budget or for the limit of the service', () => {
  const { state, now } = after([...times(40, 'person'), ...times(20, 'program')]);
  expect(tokensLeft(state, LIMIT, now)).toBe(0);
  expect(take(state, LIMIT, now, 'person')).toMatchObject({ waitMs: MINUTE - now, waitsFor: 'budget' });
  const reported = observe(newBucket(0), LIMIT, { ...SILENT, limit: 9, remaining: 0, resetMs: 500 }, 0);
  expect(take(reported, LIMIT, 0)).toMatchObject({ waitMs: 500, waitsFor: 'service' });
});

it('a list has to wait once people and programs have used the whole budget', () => {
  const { state, now } = after([...times(45, 'program'), ...times(15, 'person')]);
  expect(now).toBeLessThan(MINUTE);
  expect(take(state, LIMIT, now, 'list').waitMs).toBe(MINUTE - now);
});

it('tokens left over by people are spread over the window for a program', () => {
  const { state } = after(times(40, 'person'));
  expect(take(state, LIMIT, 0).waitMs).toBe(Math.ceil(MINUTE / 21));
});

it('a wait ends when a token that the caller may use is freed, not when any token is freed', () => {
  const limit = { requests: 6, durationMs: MINUTE };
  const { state, now } = after(['program', ...times(4, 'person')], limit, 0, 1000);
  expect(take(state, limit, now, 'person').waitMs).toBe(1000 + MINUTE - now);
});

it.each([
  [30, 60, 29],
  [29, 60, 60],
  [1, 2, 1],
])('a 429 with Retry-After after %i of %i requests leaves a budget of %i', (used, requests, expected) => {
  const limit = { requests, durationMs: MINUTE };
  const { state } = after(times(used, 'program'), limit);
  const reported = observe(state, limit, { ...REFUSED, retryAfterMs: 1000 }, 0);
  expect(tokensLeft(reported, limit, 2 * MINUTE)).toBe(expected);
});

it('every token counts, even if several were taken almost at the same time', () => {
  let { state } = after(['person']);
  for (const now of [1000, 1001, 1002]) ({ state } = take(state, LIMIT, now, 'person'));
  expect([state.taken.length, tokensLeft(state, LIMIT, 1002)]).toEqual([2, 56]);
});

it.each([
  { status: 429, retryAfterMs: 2 * HOUR },
  { remaining: 0, resetMs: 2 * HOUR },
])('a bucket pauses for at most an hour even if the service answers %j', (answer) => {
  expect(take(observe(newBucket(0), LIMIT, { ...SILENT, ...answer }, 0), LIMIT, 0).waitMs).toBe(HOUR);
});

it('a service limit without a remaining count does not block requests', () => {
  const reported = observe(newBucket(0), LIMIT, { ...SILENT, limit: 60, resetMs: 30_000 }, 0);
  expect(take(reported, LIMIT, 0).waitMs).toBe(0);
});

it.each([
  ['the same window', 27_999, 29_999],
  ['another window', 27_998, 0],
])('an answer about %s, which ends in %i ms, leaves a wait of %i ms', (_, resetMs, expected) => {
  const window = { ...SILENT, limit: 20, remaining: 0, resetMs: 30_000 };
  const reported = observe(newBucket(0), LIMIT, window, 0);
  const later = observe(reported, LIMIT, { ...window, remaining: 19, resetMs }, 1);
  expect(take(later, LIMIT, 1).waitMs).toBe(expected);
});

it('the pace never drops below 1/64 of the budget', () => {
  const limit = { requests: 640, durationMs: MINUTE };
  let state = newBucket(0);
  for (let refusals = 0; refusals < 9; refusals += 1) state = observe(state, limit, REFUSED, refusals * 6000);
  expect(tokensLeft(state, limit, 9 * 6000)).toBe(10);
});

it('a person may use the last token of the service, and a program half of its limit in a burst', () => {
  const reported = (remaining: number) =>
    observe(after(['program']).state, LIMIT, { ...SILENT, limit: 120, remaining, resetMs: MINUTE }, 0);
  expect(take(reported(1), LIMIT, 0, 'person').waitMs).toBe(0);
  expect(take(reported(73), LIMIT, 0).waitMs).toBe(0);
  expect(take(reported(72), LIMIT, 0).waitMs).toBe(Math.ceil(MINUTE / 61));
  const fresh = observe(newBucket(0), LIMIT, { ...SILENT, limit: 120, remaining: 72, resetMs: MINUTE }, 0);
  expect(take(fresh, LIMIT, 0).waitMs).toBe(0);
});

it("an answer about a window that is over does not replace the service's current one", () => {
  const window = { ...SILENT, limit: 20, remaining: 0, resetMs: 30_000 };
  const reported = observe(newBucket(0), LIMIT, window, 0);
  for (const resetMs of [0, -1]) {
    const later = observe(reported, LIMIT, { ...window, remaining: 9, resetMs }, 1);
    expect(take(later, LIMIT, 1).waitMs).toBe(29_999);
  }
});

it('a bucket uses the longest duration only while it has tokens of that duration', () => {
  const { state } = after(['program'], { requests: 100, durationMs: HOUR });
  const kept = observe(state, LIMIT, SILENT, HOUR - 1);
  expect([kept.keepMs, kept.taken.length]).toEqual([HOUR, 1]);
  const over = observe(kept, LIMIT, SILENT, HOUR);
  expect([observe(over, LIMIT, SILENT, HOUR).keepMs, over.taken]).toEqual([MINUTE, []]);
});

it.each([
  [MINUTE, 2 * MINUTE],
  [MINUTE + 1, MINUTE],
])('a clock that was %i ms behind leaves a wait of %i ms, which ends', (behind, expected) => {
  const limit = { requests: 1, durationMs: MINUTE };
  const waiting = take(after(['program'], limit, HOUR).state, limit, HOUR - behind);
  expect(waiting.waitMs).toBe(expected);
  expect(take(waiting.state, limit, HOUR - behind + expected).waitMs).toBe(0);
});

it('waits are unchanged after the clock was set back', () => {
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
    const at = (bucket: BucketState, now: number) => [
      tokensLeft(bucket, LIMIT, now),
      ...(['person', 'list', 'program'] as const).map((taker) => take(bucket, LIMIT, now, taker).waitMs),
    ];
    for (const ms of [0, 1000, 15_000, 30_000, MINUTE, 6 * MINUTE, 59 * MINUTE, HOUR, 2 * HOUR])
      expect(at(back, used.now - HOUR + ms)).toEqual(at(on, used.now + ms));
  }
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_POLL_DELAY_MS,
  pollDelay,
  pollStateOf,
  timeInStatus,
  usualNextStatus,
} from '../../../src/core/swap/polling.ts';
import { swapOf } from '../ledger/entries.ts';

const MINUTE = 60_000;
const waiting = { status: 'new', depositSeen: false, changedAt: 0 };

describe('the delay between two polls', () => {
  it.each([
    [0, 30],
    [5, 30],
    [10, 60],
    [20, 120],
    [600, 120],
    [-60, 30],
  ])('of a swap that has waited %i minutes for its deposit is %i s', (minutes, seconds) => {
    expect(pollDelay(waiting, minutes * MINUTE)).toBe(seconds * 1000);
  });

  it.each([
    ['confirmation', 10],
    ['exchanging', 10],
    ['unknown', 10],
    ['pause', 60],
    ['frozen', 60],
  ])('of a swap in %s is %i s, whatever its age', (status, seconds) => {
    for (const depositSeen of [true, false])
      expect(pollDelay({ ...waiting, status, depositSeen }, 90 * MINUTE)).toBe(seconds * 1000);
  });

  it('is the poll interval as soon as a transaction is seen', () => {
    const swap = swapOf('AAAAAA');
    expect(pollStateOf(swap, 7)).toEqual({ status: 'new', depositSeen: false, changedAt: 7 });
    for (const seen of [{ txId: 'f00d' }, { confirmations: 1 }, { receivedAt: '2026-01-31T12:00:00.000Z' }])
      expect(
        pollDelay(pollStateOf({ ...swap, deposit: { ...swap.deposit, ...seen } }, 0), 0, null, 4000),
      ).toBe(4000);
  });

  const learned = { count: 20, p10: 200_000, median: 300_000, p90: 1_000_000, next: 'exchanging' };

  it.each([
    ['the maximum long before the 10th percentile', 0, 120],
    ['the time left until the 10th percentile when near it', 150, 50],
    ['a twentieth of the spread at the 10th percentile', 200, 40],
    ['growing after the 90th percentile', 1100, 50],
    ['the maximum again long after it', 9999, 120],
  ])('with learned times is %s', (_, seconds, delay) => {
    const state = { ...waiting, status: 'confirmation' };
    expect(pollDelay(state, seconds * 1000, learned)).toBe(delay * 1000);
  });

  it('is the default with fewer than 20 earlier swaps, or in status pause', () => {
    const state = { ...waiting, status: 'confirmation' };
    expect(pollDelay(state, 0, { ...learned, count: 19 })).toBe(10_000);
    expect(pollDelay({ ...state, status: 'pause' }, 0, learned)).toBe(60_000);
  });

  it('with learned times is between the poll interval and two minutes', () => {
    const times = fc
      .tuple(fc.nat(), fc.nat())
      .map(([p10, spread]) => ({ ...learned, p10, p90: p10 + spread }));
    fc.assert(
      fc.property(times, fc.integer(), (known, now) => {
        const delay = pollDelay(waiting, now, known);
        expect(delay).toBeGreaterThanOrEqual(10_000);
        expect(delay).toBeLessThanOrEqual(MAX_POLL_DELAY_MS);
      }),
    );
  });

  it('is between 30 seconds and two minutes while a swap waits for its deposit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (now) => {
        const delay = pollDelay(waiting, now);
        expect(delay).toBeGreaterThanOrEqual(30_000);
        expect(delay).toBeLessThanOrEqual(MAX_POLL_DELAY_MS);
      }),
    );
  });
});

describe('the learned times of a status', () => {
  it('are percentiles and the most frequent next status, in any order of swaps', () => {
    const left = [9, 1, 10, 2, 8, 3, 7, 4, 6, 5].map((milliseconds) => ({
      milliseconds,
      next: milliseconds < 4 ? 'overdue' : 'confirmation',
    }));
    expect(timeInStatus(left)).toEqual({ count: 10, p10: 2, median: 6, p90: 10, next: 'confirmation' });
    const [a, b, c] = ['exchanging', 'pause', 'pause'].map((next) => ({ milliseconds: 1, next }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three');
    expect(timeInStatus([a, b, c])?.next).toBe('pause');
    expect(timeInStatus([])).toBeNull();
  });

  it('give the usual next status in seconds from five swaps', () => {
    const times = { count: 5, p10: 1000, median: 2400, p90: 5600, next: 'success' };
    expect(usualNextStatus(times, 1500)).toEqual({
      status: 'success',
      seconds: { median: 2, p90: 6 },
      secondsSoFar: 2,
      swaps: 5,
    });
  });
});

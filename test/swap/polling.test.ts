import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_POLL_DELAY_MS, pollDelay, pollStateOf } from '../../src/swap/polling.ts';
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

  it('is the interval from the moment in which a transaction is seen', () => {
    const swap = swapOf('AAAAAA');
    expect(pollStateOf(swap, 7)).toEqual({ status: 'new', depositSeen: false, changedAt: 7 });
    for (const seen of [{ txId: 'f00d' }, { confirmations: 1 }, { receivedAt: '2026-01-31T12:00:00.000Z' }])
      expect(pollDelay(pollStateOf({ ...swap, deposit: { ...swap.deposit, ...seen } }, 0), 0, 4000)).toBe(
        4000,
      );
  });

  it('is never longer than two minutes nor shorter than half a minute while a swap waits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (now) => {
        const delay = pollDelay(waiting, now);
        expect(delay).toBeGreaterThanOrEqual(30_000);
        expect(delay).toBeLessThanOrEqual(MAX_POLL_DELAY_MS);
      }),
    );
  });
});

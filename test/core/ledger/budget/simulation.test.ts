import { describe, expect, it } from 'vitest';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import { MAX_POLL_DELAY_MS } from '../../../../src/core/swap/polling.ts';
import { type ServiceLimit, simulate } from './simulation.ts';

/** The sandbox's own limit. */
const SANDBOX: ServiceLimit = { requests: 120, durationMs: 60_000, says: 'all' };

/** The same numbers in each run, after Lehmer. */
function lehmer(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const run = (swaps: number, minutes: number, service = SANDBOX) =>
  simulate({ swaps, minutes, service, budget: DEFAULT_BUDGET, random: lehmer() });

/** What programs may lose of a window: a tenth is kept for persons, and the bucket remembers tokens in small groups. */
const LOSS = 1.04 / 0.9;

describe('polling open swaps within the request budget', () => {
  it('sees each change within its poll delay while the budget is not used up', () => {
    const { refusals, delays, unseen, requests } = run(10, 120);
    expect({ refusals, unseen }).toEqual({ refusals: [], unseen: 0 });
    expect(requests).toBeLessThan(120 * 60);
    for (const status of ['confirmation', 'exchanging']) expect(delays[status]?.longest).toBeLessThan(15);
    expect(delays['new']?.longest).toBeLessThan(125);
  });

  it.each([24, 1000])('sees each of %i swaps within its delay plus one round of the full budget', (swaps) => {
    const { refusals, unseen, requests, longestUnseen, delays } = run(swaps, 120);
    expect({ refusals, unseen }).toEqual({ refusals: [], unseen: 0 });
    expect(requests).toBeLessThanOrEqual(120 * 60);
    expect(requests).toBeGreaterThan((120 * 60) / LOSS);
    expect(longestUnseen).toBeLessThan(MAX_POLL_DELAY_MS / 1000 + swaps * LOSS);
    expect(delays['confirmation']?.longest).toBeLessThan(10 + swaps * LOSS);
  });

  it('uses the full budget for 100,000 swaps and does not exceed it', () => {
    const { refusals, unseen, requests } = run(100_000, 60);
    expect(refusals).toEqual([]);
    expect(requests).toBeGreaterThan((60 * 60) / LOSS);
    expect(unseen).toBe(100_000 - requests);
  });

  it.each(['all', 'retry-after', 'nothing'] as const)(
    'gets at most one 429 an hour from a service with a lower limit that reports %s',
    (says) => {
      const { refusals, requests } = run(100, 60, { ...SANDBOX, requests: 40, says });
      expect(refusals.length).toBe(says === 'all' ? 0 : 1);
      // Half of the service's limit at the least.
      expect(requests).toBeGreaterThan(60 * 20);
    },
  );
});

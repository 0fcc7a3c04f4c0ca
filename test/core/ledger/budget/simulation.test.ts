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

describe('open swaps, followed within the budget on a clock of their own', () => {
  it('are seen as soon as their pauses say, where the budget is not full', () => {
    const { refusals, delays, unseen, requests } = run(10, 120);
    expect({ refusals, unseen }).toEqual({ refusals: [], unseen: 0 });
    expect(requests).toBeLessThan(120 * 60);
    for (const status of ['confirmation', 'exchanging']) expect(delays[status]?.longest).toBeLessThan(15);
    expect(delays['new']?.longest).toBeLessThan(125);
  });

  it.each([24, 1000])(
    'are each seen in the pause and the round of a full budget, when there are %i',
    (swaps) => {
      const { refusals, unseen, requests, longestUnseen, delays } = run(swaps, 120);
      expect({ refusals, unseen }).toEqual({ refusals: [], unseen: 0 });
      expect(requests).toBeLessThanOrEqual(120 * 60);
      expect(requests).toBeGreaterThan((120 * 60) / LOSS);
      expect(longestUnseen).toBeLessThan(MAX_POLL_DELAY_MS / 1000 + swaps * LOSS);
      expect(delays['confirmation']?.longest).toBeLessThan(10 + swaps * LOSS);
    },
  );

  it('use the budget and no more, when there are 100,000', () => {
    const { refusals, unseen, requests } = run(100_000, 60);
    expect(refusals).toEqual([]);
    expect(requests).toBeGreaterThan((60 * 60) / LOSS);
    expect(unseen).toBe(100_000 - requests);
  });

  it.each(['all', 'retry-after', 'nothing'] as const)(
    'get no 429 after the first within the hour from a service that allows less than the budget, and says %s',
    (says) => {
      const { refusals, requests } = run(100, 60, { ...SANDBOX, requests: 40, says });
      expect(refusals.length).toBe(says === 'all' ? 0 : 1);
      // Half of the service's limit at the least.
      expect(requests).toBeGreaterThan(60 * 20);
    },
  );
});

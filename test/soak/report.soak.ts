import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/core/ledger/report/report.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { fillRows } from '../core/ledger/fill.ts';
import { expectedTotal } from '../core/ledger/report/expected.ts';
import type { RandomSwap } from '../core/ledger/report/random-swaps.ts';
import { randomSwap, seeded } from '../core/ledger/report/random-swaps.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';

const SWAPS = 100_000;

describe.each(BOTH_DATABASES)('a report over 100,000 random swaps on $kind', ({ kind, fresh }) => {
  it('is exact to the last digit for any grouping', async () => {
    const [location, home, random] = [await fresh(), await temporaryFolder(), seeded(2026)];
    const swaps: RandomSwap[] = Array.from({ length: SWAPS }, (_, index) => randomSwap(index, random));
    await fillRows(location, SWAPS, (index) => (swaps[index] as RandomSwap).row);
    const wanted = expectedTotal(swaps, '0.00123456');
    for (const by of ['pair', 'day', 'status', 'profile', 'label:team']) {
      const begun = performance.now();
      const { stdout } = await runHere(['report', '--json', '--by', by, '--share', '0.123456%'], {
        ...{ home, env: { SWAPCTL_LEDGER: location } },
      });
      process.stdout.write(`${kind}, by ${by}: ${Math.round(performance.now() - begun)} ms\n`);
      const { groups, total } = JSON.parse(stdout) as Report;
      expect(total).toEqual(wanted);
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(SWAPS);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { killedBatch } from '../commands/batch/killed.ts';
import { temporaryFolder } from '../helpers/home.ts';

const ROWS = 60;
/** Rows that each run has told when it is killed. */
const KILL_AT = [7, 23, 44];

describe('a batch that is killed again and again', () => {
  it('makes one order for each row, and tells those that were under way as unknown', async () => {
    const { problems, created, unknown, orders } = await killedBatch(await temporaryFolder(), ROWS, KILL_AT);
    expect(problems).toEqual([]);
    expect(created + unknown).toBe(ROWS);
    // No more than five rows are under way at a time.
    expect(unknown).toBeLessThanOrEqual(5 * KILL_AT.length);
    expect(orders).toBe(ROWS);
  });
});

import { describe, it } from 'vitest';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { checkRandomFacts } from '../core/ledger/random-facts.ts';

describe.each(BOTH_DATABASES)('a ledger of 100,000 swaps on $kind', ({ fresh }) => {
  it('finds all matching swaps for each of 1,000 random facts', async () => {
    await checkRandomFacts(await fresh(), 100_000, 1000);
  });
});

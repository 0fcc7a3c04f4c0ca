import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/core/database/open.ts';
import { openLedger } from '../../src/core/ledger/ledger.ts';
import { LEDGER_MIGRATIONS } from '../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../src/core/ledger/schema.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { OWNER } from '../core/ledger/entries.ts';
import { fillLedger } from '../core/ledger/fill.ts';

const ROUNDS = 300;

describe.each(BOTH_DATABASES)('a ledger of 100,000 swaps, 500 of them open, on $kind', ({ kind, fresh }) => {
  it('chooses the next poll in less than a millisecond', async () => {
    const location = await fresh();
    const ledger = await openLedger(location);
    await fillLedger(location, { swaps: 100_000, open: 500 });
    const followed = { owner: OWNER, orders: null };
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      await ledger.polls.nextDue(followed, 1_000_000 + round);
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const median = times[ROUNDS / 2] ?? 0;
    process.stdout.write(`${kind}: ${median.toFixed(3)} ms, the median of ${ROUNDS}\n`);
    expect(kind === 'sqlite' ? median : await serverTime(location)).toBeLessThan(1);
    await ledger.close();
  });
});

/** Execution time of the query in PostgreSQL without the network, in milliseconds. */
async function serverTime(location: string): Promise<number> {
  const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze) select next_poll_at from intents
    where final = 0 and outcome = 'created' and account = ${OWNER.account}
    and poll_lease_until <= ${1_000_000} order by next_poll_at limit 1`.execute(database.kysely);
  await database.close();
  const line = rows.map((row) => row['QUERY PLAN']).find((text) => text.startsWith('Execution Time'));
  return Number.parseFloat(line?.replace(/[^0-9.]/g, '') ?? 'NaN');
}

import { sql } from 'kysely';
import { decodeSwap } from '../../src/core/client/decode.ts';
import { openDatabase } from '../../src/core/database/open.ts';
import { ownerOf } from '../../src/core/ledger/entry.ts';
import { LEDGER_MIGRATIONS } from '../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../src/core/ledger/schema.ts';
import { parseJson } from '../../src/core/partner-api/json.ts';
import { fillRows, rowOf } from '../core/ledger/fill.ts';
import { wireSwapIn } from '../helpers/swap-service.ts';

/** What the bench of many open swaps needs, in one bundle. */
export { startPostgres } from '../core/database/postgres/server.ts';

const [KEY, SECRET] = ['pk-of-the-bench', 'sk-of-the-bench-and-nothing-else'];

/** The environment in which a service is the profile. */
export const profileAt = (baseUrl: string): Record<string, string> => ({
  SWAPCTL_BASE_URL: baseUrl,
  SWAPCTL_PUBLIC_KEY: KEY,
  SWAPCTL_SECRET: SECRET,
});

/** The answer about a swap whose deposit is being confirmed. */
export const answerText = (order: string): string => JSON.stringify(wireSwapIn(1, order));

/** Rows that are made one by one; the others are copies of them. */
const MADE = 1000;

/** Fills a ledger with thousands of swaps that wait for their confirmations at a service, all of them due. */
export async function fillOpen(location: string, swaps: number, baseUrl: string): Promise<void> {
  const owner = ownerOf({ kind: 'remote', name: 'env', environment: 'sandbox', baseUrl, publicKey: KEY });
  const now = Date.now();
  await fillRows(location, MADE, (index) => {
    const row = rowOf(index, true);
    const snapshot = JSON.stringify(decodeSwap(parseJson(answerText(row.order_number ?? ''))));
    const times = { requested_at: now - 600_000, seen_at: now - 60_000, changed_at: now - 300_000 };
    return {
      ...row,
      ...owner,
      ...times,
      request: 'null',
      deposit_asset: null,
      receive_asset: null,
      snapshot,
      first_snapshot: snapshot,
      next_poll_at: now - 60_000 + (index % 60_000),
    };
  });
  const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
  const columns = Object.keys(rowOf(0, true));
  const copied = columns.map((column) => {
    if (column === 'id' || column === 'order_number') return `${column} || '-' || n`;
    if (!column.endsWith('snapshot')) return column;
    return `replace(${column}, '"' || order_number || '"', '"' || order_number || '-' || n || '"')`;
  });
  const copies = swaps / MADE - 1;
  // Ten at a time: a statement has a time limit.
  for (let first = 1; first <= copies; first += 10) {
    const last = Math.min(copies, first + 9);
    const numbers = `numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last})`;
    const made = `id not like '%-%-%'`;
    await sql
      .raw(
        `with recursive ${numbers} insert into intents (${columns.join(', ')})
          select ${copied.join(', ')} from intents, numbers where ${made}`,
      )
      .execute(database.kysely);
  }
  if (database.kind === 'postgres') await sql`analyze intents`.execute(database.kysely);
  await database.close();
}

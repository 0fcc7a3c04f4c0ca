import { sql } from 'kysely';
import type { Database } from '../../../src/core/database/database.ts';
import { DamagedEntryError, entryFromRow } from '../../../src/core/ledger/entry.ts';
import { factRows } from '../../../src/core/ledger/facts.ts';
import { assetColumns } from '../../../src/core/ledger/new-entry.ts';
import { storedFigures } from '../../../src/core/ledger/report/swap-figures.ts';
import type { IntentRow, LedgerSchema } from '../../../src/core/ledger/schema.ts';
import { searchText } from '../../../src/core/ledger/search.ts';
import { needOf } from '../../../src/core/swap/attention.ts';
import { INTENT, OWNER, swapOf } from './entries.ts';
import { openTables } from './tables.ts';

const ROWS_OF_STATEMENT = 500;
/** Rows of two columns: more than these are too many values for one statement. */
const FACTS_OF_STATEMENT = 5000;

/** Fills a ledger with swaps as fast as it can; the open ones stand anywhere among them and are all due. */
export async function fillLedger(location: string, { swaps, open }: { swaps: number; open: number }) {
  const database = await openTables(location);
  const every = Math.floor(swaps / open);
  await insertRows(database, swaps, (index) => rowOf(index, index % every === 0));
  if (database.kind === 'postgres') await sql`analyze intents`.execute(database.kysely);
  await database.close();
}

/** Writes so many rows of entries, each as the function says. */
export async function fillRows(location: string, count: number, row: (index: number) => IntentRow) {
  const database = await openTables(location);
  await insertRows(database, count, row);
  await database.close();
}

async function insertRows(
  database: Database<LedgerSchema>,
  count: number,
  row: (index: number) => IntentRow,
): Promise<void> {
  for (let first = 0; first < count; first += ROWS_OF_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_OF_STATEMENT, count - first) }, (_, index) =>
      withDerived(row(first + index)),
    );
    const facts = (await Promise.all(rows.map(factsOfRow))).flat();
    await database.transaction(async (tx) => {
      await tx.insertInto('intents').values(rows).execute();
      for (let at = 0; at < facts.length; at += FACTS_OF_STATEMENT)
        await tx
          .insertInto('facts')
          .values(facts.slice(at, at + FACTS_OF_STATEMENT))
          .execute();
    });
  }
}

/** A row with the columns that swapctl derives from the others, unless it is damaged. */
function withDerived(row: IntentRow): IntentRow {
  try {
    const entry = entryFromRow(row);
    const isTroubled = entry.swap?.final === true && needOf({ ...entry.swap, ...entry }) !== null;
    return { ...row, figures: storedFigures(entry), search: searchText(entry), troubled: isTroubled ? 1 : 0 };
  } catch (error) {
    if (error instanceof DamagedEntryError) return row;
    throw error;
  }
}

/** The rows of the index of facts, unless the entry is damaged. */
async function factsOfRow(row: IntentRow) {
  try {
    return await factRows(entryFromRow(row));
  } catch (error) {
    if (error instanceof DamagedEntryError) return [];
    throw error;
  }
}

/** The row of a swap of which only the number matters. */
export function rowOf(index: number, open: boolean): IntentRow {
  const order = `ORDER${index}`;
  const snapshot = JSON.stringify(swapOf(order, open ? 1 : 4));
  return {
    id: `id-${index}`,
    ...OWNER,
    idempotency_key: null,
    outcome: 'created',
    reason: null,
    request: JSON.stringify(INTENT),
    ...assetColumns(INTENT),
    order_number: order,
    requested_at: index,
    seen_at: index,
    snapshot,
    first_snapshot: snapshot,
    status_code: open ? 1 : 4,
    final: open ? 0 : 1,
    doubts: '[]',
    labels: null,
    refund_address: null,
    furthest: open ? 'confirmation' : 'success',
    changed_at: index,
    events: 0,
    doubted_snapshot: null,
    changes: 0,
    figures: '',
    search: '',
    sent: null,
    quiet_until: null,
    ticket: null,
    troubled: 0,
    counted_at: index,
    given_back: 0,
    next_poll_at: (index * 7919) % 10_000,
    poll_lease: null,
    poll_lease_until: 0,
  };
}

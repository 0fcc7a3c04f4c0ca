import { openDatabase } from '../../../src/database/open.ts';
import { OrderNumbers } from '../../../src/sandbox/orders/number.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../../../src/sandbox/state/schema.ts';
import { newOrder, type TestSandbox } from '../sandbox.ts';

/** Rows of a statement: PostgreSQL takes 65,535 parameters. */
const ROWS = 500;

/** Makes the first order of a sandbox and copies of it, written as rows: making each by a request would take too long. */
export async function addOrders(sandbox: TestSandbox, count: number): Promise<void> {
  await newOrder(sandbox);
  const database = await openDatabase<SandboxSchema>(sandbox.database, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
  });
  const state = await database.kysely.selectFrom('sandbox_state').selectAll().executeTakeFirstOrThrow();
  const model = await database.kysely.selectFrom('sandbox_orders').selectAll().executeTakeFirstOrThrow();
  const numbers = new OrderNumbers(state.master_key).numbersFrom(1, count);
  await database.transaction(async (tx) => {
    for (let start = 1; start < count; start += ROWS) {
      const rows = numbers
        .slice(start, start + ROWS)
        .map((order_number, index) => ({ ...model, order_number, sequence: start + index + 1 }));
      await tx.insertInto('sandbox_orders').values(rows).execute();
    }
    await tx.updateTable('sandbox_state').set({ orders_made: count }).execute();
  });
  await database.close();
}

import { openDatabase } from '../../../src/core/database/open.ts';
import { OrderNumbers } from '../../../src/sandbox/orders/number.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../../../src/sandbox/state/schema.ts';
import { newOrder, type TestSandbox } from '../sandbox.ts';

/** Rows of a statement: PostgreSQL takes 65,535 parameters. */
const ROWS = 500;

/**
 * Makes the first order of a sandbox and copies of it, written as rows: making each by a request would take too long.
 *
 * @param isHeld whether each has its deposit and is on hold
 */
export async function addOrders(sandbox: TestSandbox, count: number, isHeld = false): Promise<void> {
  const id = await newOrder(sandbox);
  if (isHeld) await sandbox.operator.orders.deposit(id);
  if (isHeld) await sandbox.operator.orders.move(id, 'pause');
  const database = await openDatabase<SandboxSchema>(sandbox.database, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
  });
  const state = await database.kysely.selectFrom('sandbox_state').selectAll().executeTakeFirstOrThrow();
  const model = await database.kysely.selectFrom('sandbox_orders').selectAll().executeTakeFirstOrThrow();
  const events = await database.kysely.selectFrom('sandbox_events').selectAll().execute();
  const numbers = new OrderNumbers(state.master_key);
  await database.transaction(async (tx) => {
    for (let start = 1; start < count; start += ROWS) {
      const rows = Array.from({ length: Math.min(ROWS, count - start) }, (_, index) => {
        const sequence = start + index + 1;
        return { ...model, order_number: numbers.numberAt(sequence), sequence };
      });
      await tx.insertInto('sandbox_orders').values(rows).execute();
      for (const event of events) {
        const copies = rows.map(({ sequence }) => ({ ...event, order_sequence: sequence }));
        await tx.insertInto('sandbox_events').values(copies).execute();
      }
    }
    await tx.updateTable('sandbox_state').set({ orders_made: count }).execute();
  });
  await database.close();
}

import { OrderNumbers } from '../../../src/sandbox/orders/number.ts';
import { newOrder, openState, type TestSandbox } from '../sandbox.ts';

/** Rows per statement, because PostgreSQL allows 65,535 parameters. */
const ROWS = 500;

/**
 * Creates an order and copies it in the database, which is faster than a request per order.
 *
 * @param isHeld whether each order has its deposit and is paused
 */
export async function addOrders(sandbox: TestSandbox, count: number, isHeld = false): Promise<void> {
  const id = await newOrder(sandbox);
  if (isHeld) await sandbox.operator.orders.deposit(id);
  if (isHeld) await sandbox.operator.orders.move(id, 'pause');
  const database = await openState(sandbox.database);
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

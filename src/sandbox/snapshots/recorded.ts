import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { StorageError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { RecordedOrder } from '../orders/order.ts';
import { type OrderRows, orderRows } from '../orders/repository.ts';
import { eventOf, orderOf } from '../orders/rows.ts';
import type { EventTable, SandboxSchema } from '../state/schema.ts';

const PAGE_SIZE = 200;

/** Whether two orders are recorded alike. */
export function isSameRecord(left: OrderRows, right: OrderRows): boolean {
  const { row: a, events } = left;
  const { row: b } = right;
  return (
    a.terms === b.terms &&
    a.refund_address === b.refund_address &&
    a.created_at === b.created_at &&
    a.partner_key === b.partner_key &&
    events.length === right.events.length &&
    events.every((event, index) => {
      const other = right.events[index];
      return other !== undefined && eventText(event) === eventText(other);
    })
  );
}

function eventText({ kind, at, amount, receive, tx_id }: EventTable): string {
  return JSON.stringify([kind, at, amount, receive, tx_id]);
}

export function recordedOf({ row, events }: OrderRows): RecordedOrder {
  return readable(`order ${visible(row.order_number)}`, () => ({
    order: orderOf(row),
    events: events.map(eventOf),
  }));
}

/** Reads stored content. Throws StorageError if it is damaged. */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new StorageError(
      `The states cannot be compared: ${what} is damaged.`,
      'If it belongs to a snapshot, remove that: swapctl sandbox snapshot list --remove <name>',
    );
  }
}

/** The orders of a generation, oldest first, read in pages. */
export async function* recordedOrders(db: Kysely<SandboxSchema>, generation: number) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: readonly OrderRows[] = await orderRows(db, generation, { after, limit: PAGE_SIZE });
    yield* page;
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.row.sequence;
    await nextTurn();
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { StorageError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { ORDER_NUMBERS } from '../orders/number.ts';
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

interface OrderRange {
  /** Only those with a higher sequence. */
  readonly after: number;
  /** Only those up to this sequence. */
  readonly until: number;
  /** Only those that this generation does not have. */
  readonly absentIn?: number;
}

/** The orders of a generation, oldest first, read in pages. */
export async function* ordersOf(
  db: Kysely<SandboxSchema>,
  generation: number,
  { after, until, absentIn }: OrderRange = { after: 0, until: ORDER_NUMBERS },
): AsyncGenerator<OrderRows> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const range = { after: last, before: until + 1, absentIn, limit: PAGE_SIZE };
    const page: readonly OrderRows[] = await orderRows(db, generation, range);
    yield* page;
    last = page.length < PAGE_SIZE ? undefined : page.at(-1)?.row.sequence;
    await nextTurn();
  }
}

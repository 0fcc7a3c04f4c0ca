import type { Database } from '../database/database.ts';
import type { SandboxAsset } from './catalogue.ts';
import { depositAddress, payoutTxId } from './deposit-address.ts';
import type { Order, OrderSide } from './order.ts';
import type { OrderNumbers } from './order-number.ts';
import { OrderInserter } from './order-repository.ts';
import type { SandboxSchema, StateTable } from './schema.ts';
import { changeState } from './shared-state.ts';
import { batched } from './turn.ts';

const LARGEST_BATCH = 200;

/** An order before it has its number and its deposit address. */
export interface NewOrder {
  readonly agreed: Omit<Order, 'orderNumber' | 'sequence' | 'deposit' | 'payoutTxId'>;
  readonly deposit: Omit<OrderSide, 'address' | 'memo'>;
  readonly depositAsset: SandboxAsset;
  readonly receiveAsset: SandboxAsset;
}

/**
 * Makes the function that adds orders: those of one turn of the event loop, and those that come while others wait for
 * the disk, share one durable commit.
 */
export function orderCreator(
  database: Database<SandboxSchema>,
  numbers: OrderNumbers,
): (order: NewOrder) => Promise<Order> {
  const inserter = new OrderInserter();
  return batched<NewOrder, Order>(
    (orders) =>
      database.transaction(async (tx) => {
        const state = await changeState(tx, { orders_made: orders.length });
        const first = state.orders_made - orders.length + 1;
        const orderNumbers = numbers.numbersFrom(first, orders.length);
        const made = orders.map((order, index) =>
          numbered(order, first + index, orderNumbers[index] ?? '', state),
        );
        await inserter.insert(tx, made);
        return made;
      }),
    LARGEST_BATCH,
  );
}

function numbered(order: NewOrder, sequence: number, orderNumber: string, { seed }: StateTable): Order {
  const { agreed, deposit, depositAsset, receiveAsset } = order;
  const { address, memo } = depositAddress(depositAsset, orderNumber, seed);
  return {
    ...agreed,
    orderNumber,
    sequence,
    deposit: { ...deposit, address, memo },
    payoutTxId: payoutTxId(receiveAsset, orderNumber, seed),
  };
}

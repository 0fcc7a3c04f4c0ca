import type { Database } from '../../core/database/database.ts';
import { checkAddress } from '../../core/swap/addresses/check.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import { inGroups } from '../state/in-groups.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { changeState, requireSameState } from '../state/state-row.ts';
import { depositAddress, depositTxId } from './deposit-address/deposit-address.ts';
import type { OrderNumbers } from './number.ts';
import type { AutomaticActions, Order, OrderSide } from './order.ts';
import { OrderRepository } from './repository.ts';

/** An order before it has its number and its deposit address. */
export interface NewOrder {
  readonly agreed: Omit<Order, 'orderNumber' | 'sequence' | 'deposit' | 'actions'>;
  readonly deposit: Omit<OrderSide, 'address' | 'memo'>;
  readonly depositAsset: SandboxAsset;
  /** Generation of the state in which the order was agreed. */
  readonly generation: number;
  /** The automatic actions of the order, but for the id of its deposit; undefined for nothing. */
  readonly actions?: AutomaticActions;
}

/** What an order's actions may depend on besides its terms. */
export interface RequestedOrder {
  /** The amount of the deposit, digit for digit as it was sent. */
  readonly asSent: string;
  readonly seed: number;
}

/** Count of a deposit that arrives automatically; those of operators are counted from 1. */
const OWN_DEPOSIT = 0;

/**
 * Creates the function that adds orders. Orders that arrive together, or while others wait for the disk, share one
 * durable commit. It throws StateReplaced where the state in which an order was agreed was replaced.
 */
export function orderCreator(database: Pick<Database<SandboxSchema>, 'transaction'>, numbers: OrderNumbers) {
  return inGroups<NewOrder, Order>((orders) =>
    database.transaction(async (tx) => {
      const state = await changeState(tx, { orders_made: orders.length });
      for (const order of orders) requireSameState(state, order);
      const first = state.orders_made - orders.length + 1;
      const made = orders.map((order, index) =>
        numbered(order, {
          sequence: first + index,
          number: numbers.numberAt(first + index),
          seed: state.seed,
        }),
      );
      await new OrderRepository(tx).insert(state.generation, made);
      return made;
    }),
  );
}

function numbered(
  { agreed, deposit, depositAsset, actions }: NewOrder,
  { sequence, number, seed }: { readonly sequence: number; readonly number: string; readonly seed: number },
): Order {
  const txId = () => depositTxId(depositAsset, number, seed, OWN_DEPOSIT);
  return {
    ...agreed,
    orderNumber: number,
    sequence,
    deposit: { ...deposit, ...depositAddress(depositAsset, number, seed) },
    actions: actions && { ...actions, deposit: actions.deposit && { ...actions.deposit, txId: txId() } },
  };
}

/**
 * Whether the service would pay to an address. Addresses of main and test networks are both accepted, because nothing is
 * really paid.
 */
export async function isPayable(network: string, address: string): Promise<boolean> {
  const verdict = await checkAddress(network, address);
  return verdict.ok && verdict.unspendable !== true;
}

import type { Database } from '../../core/database/database.ts';
import { checkAddress } from '../../core/swap/addresses/check.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import { batch } from '../state/batch.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { requireSameState } from '../state/state-row.ts';
import { depositAddress, depositTxId, payoutTxId } from './deposit-address/deposit-address.ts';
import { OrderInserter, type ReservedNumbers } from './hot-path.ts';
import type { OrderNumbers } from './number.ts';
import { type Course, type Order, type OrderSide, sideAt } from './order.ts';

const MAX_BATCH = 64;
/** While one batch waits for the disk the next is prepared, so neither disk nor processor is idle. */
const MAX_RUNNING_BATCHES = 2;

/** An order before it has its number and its deposit address. */
export interface NewOrder {
  readonly agreed: Omit<Order, 'orderNumber' | 'sequence' | 'deposit' | 'course'>;
  readonly deposit: Omit<OrderSide, 'address' | 'memo'>;
  readonly depositAsset: SandboxAsset;
  /** Generation of the state in which the order was agreed. */
  readonly generation: number;
  /** The automatic actions of the order, but for the id of its deposit; undefined for nothing. */
  readonly course?: Course;
}

/** What an order's course may depend on besides its terms. */
export interface AskedOrder {
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
export function orderCreator(
  database: Pick<Database<SandboxSchema>, 'transaction'>,
  numbers: OrderNumbers,
): (order: NewOrder) => Promise<Order> {
  const inserter = new OrderInserter();
  return batch<NewOrder, Order>(
    (orders) =>
      database.transaction(async (tx) => {
        const state = await inserter.reserve(tx, orders.length);
        for (const order of orders) requireSameState(state, order);
        const first = state.orders_made - orders.length + 1;
        const orderNumbers = numbers.numbersFrom(first, orders.length);
        const made = orders.map((order, index) =>
          numbered(order, first + index, orderNumbers[index] ?? '', state),
        );
        await inserter.insert(tx, state.generation, made);
        return made;
      }),
    MAX_BATCH,
    MAX_RUNNING_BATCHES,
  );
}

function numbered(order: NewOrder, sequence: number, orderNumber: string, { seed }: ReservedNumbers): Order {
  const { agreed, deposit, depositAsset, course } = order;
  // Written out: object rest is slow here (measured).
  return {
    orderNumber,
    sequence,
    partnerKey: agreed.partnerKey,
    type: agreed.type,
    lastSource: agreed.lastSource,
    deposit: sideAt(deposit, depositAddress(depositAsset, orderNumber, seed)),
    receive: agreed.receive,
    rate: agreed.rate,
    minAmount: agreed.minAmount,
    maxAmount: agreed.maxAmount,
    refundAddress: agreed.refundAddress,
    createdAt: agreed.createdAt,
    windowMs: agreed.windowMs,
    confirmationMs: agreed.confirmationMs,
    exchangeMs: agreed.exchangeMs,
    course:
      course === undefined
        ? undefined
        : withTxId(course, depositTxId(depositAsset, orderNumber, seed, OWN_DEPOSIT)),
  };
}

function withTxId({ deposit, moves }: Course, txId: string): Course {
  return { deposit: deposit === null ? null : { ...deposit, txId }, moves };
}

/** Transaction id of an order's payout. */
export function payoutId({ receive, orderNumber }: Order, seed: number): string {
  return payoutTxId(receive, orderNumber, seed);
}

const MAX_ADDRESSES = 1000;

/** Checks payout addresses and caches the valid ones: customers swap to the same address again and again. */
export class PayoutAddresses {
  readonly #good = new Set<string>();

  /**
   * Whether the service would pay to an address. Addresses of main and test networks are both accepted, because nothing
   * is really paid.
   */
  async isPayable(network: string, address: string): Promise<boolean> {
    const key = `${network} ${address}`;
    if (this.#good.has(key)) return true;
    const verdict = await checkAddress(network, address);
    if (!verdict.ok || verdict.unspendable === true) return false;
    if (this.#good.size >= MAX_ADDRESSES) this.#good.clear();
    this.#good.add(key);
    return true;
  }
}

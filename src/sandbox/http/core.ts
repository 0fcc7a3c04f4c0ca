import type { Database } from '../../database/database.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Decisions } from '../habits/decisions.ts';
import type { NewOrder } from '../orders/create.ts';
import type { OrderReader } from '../orders/hot-path.ts';
import type { OrderNumbers } from '../orders/number.ts';
import type { Order } from '../orders/order.ts';
import type { PayoutAddresses } from '../orders/payout-addresses.ts';
import type { Pairs } from '../prices/pairs.ts';
import type { SandboxSchema } from '../state/schema.ts';
import type { Partner, SharedState, Snapshot } from '../state/shared-state.ts';
import type { Values } from './validate.ts';

/** What the endpoints work with. */
export interface Core {
  readonly database: Database<SandboxSchema>;
  readonly shared: SharedState;
  readonly catalogue: Catalogue;
  /** What is decided where the API document is silent. */
  readonly decisions: Decisions;
  readonly pairs: Pairs;
  readonly orders: OrderReader;
  readonly orderNumbers: OrderNumbers;
  readonly payoutAddresses: Pick<PayoutAddresses, 'isPayable'>;
  /** Adds an order; orders of one turn of the event loop share a durable commit. */
  readonly createOrder: (order: NewOrder) => Promise<Order>;
  /** Id that the payout's transaction of an order has, for the seed of the sandbox. */
  readonly payoutTxId: (order: Order, seed: number) => Promise<string>;
  /** Divides confirmations and exchanging of new orders. */
  readonly timeScale: number;
}

/** A request that passed the checks of key, payload, signature, rate and parameters. */
export interface Call {
  readonly partner: Partner;
  readonly snapshot: Snapshot;
  readonly values: Values;
}

/** An answer that is no error; its body is written with every digit of its numbers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

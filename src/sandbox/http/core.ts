import type { Database } from '../../core/database/database.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Decisions } from '../habits/decisions.ts';
import type { isPayable, NewOrder, orderCreator, RequestedOrder } from '../orders/create.ts';
import type { OrderNumbers } from '../orders/number.ts';
import type { Order } from '../orders/order.ts';
import type { OrderRepository } from '../orders/repository.ts';
import type { Pairs } from '../prices/pairs.ts';
import type { Partner } from '../state/partners.ts';
import type { SandboxSchema } from '../state/schema.ts';
import type { SharedState, StateReading } from '../state/shared-state.ts';
import type { Values } from './read-values.ts';

/** What the endpoints share: database and state, catalogue and prices, orders, and the service's decisions. */
export interface Core {
  readonly database: Database<SandboxSchema>;
  readonly shared: SharedState;
  readonly catalogue: Catalogue;
  /** Decisions where the API document is silent. */
  readonly decisions: Decisions;
  readonly pairs: Pairs;
  /** Reads orders outside transactions. */
  readonly orders: Pick<OrderRepository, 'findIn'>;
  readonly orderNumbers: OrderNumbers;
  /** What a create needs: address rules are much code, and most sandboxes only quote. */
  readonly creating: () => Promise<{
    readonly isPayable: typeof isPayable;
    readonly create: ReturnType<typeof orderCreator>;
  }>;
  /** Transaction id of an order's payout, derived from the sandbox's seed. */
  readonly payoutTxId: (order: Order, seed: number) => Promise<string>;
  /** Divides confirmations and exchanging of new orders. */
  readonly timeScale: number;
  /** Gives a new order its automatic actions, if it does not wait for its operators. */
  readonly addActions: (order: NewOrder, asked: RequestedOrder) => NewOrder;
  /** Whether the answer to a create is lost after the order was made. */
  readonly dropsCreateResponses: boolean;
}

/** A request that passed the checks of key, payload, signature, rate and parameters. */
export interface Call {
  readonly partner: Partner;
  readonly reading: StateReading;
  readonly values: Values;
}

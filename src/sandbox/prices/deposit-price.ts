import { type Decimal, sameAmount } from '../../core/swap/amount.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Order, OrderSide } from '../orders/order.ts';
import { Pairs } from './pairs.ts';

/** What of an order its payout depends on. */
interface PricedOrder extends Pick<Order, 'type' | 'createdAt' | 'windowMs'> {
  readonly deposit: Pick<OrderSide, 'coin' | 'network' | 'amount'>;
  readonly receive: Pick<OrderSide, 'coin' | 'network' | 'amount'>;
}

/**
 * Payout for a deposit that arrives now: the agreed one for the agreed amount in time, otherwise that of the current
 * price; null if there is no price. Whether a late deposit still counts is decided in `orders/lifecycle.ts`.
 */
export function payoutOf(
  catalogue: Catalogue,
  { order, now, seed }: { readonly order: PricedOrder; readonly now: number; readonly seed: number },
  amount: Decimal,
): Decimal | null {
  const inTime = now < order.createdAt + order.windowMs;
  if (inTime && sameAmount(amount, order.deposit.amount)) return order.receive.amount;
  const pairs = new Pairs(catalogue);
  const pair = pairs.find(order.deposit, order.receive);
  if (pair === undefined) return null;
  const verdict = pairs.price(pair, { amount, lastSource: 'deposit', type: order.type }, { now, seed });
  return verdict.ok ? verdict.price.receive : null;
}

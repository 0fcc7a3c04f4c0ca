import type { Decimal } from '../../swap/amount.ts';
import type { RateType, Side } from '../../swap/swap.ts';

/** One side of an order as it was agreed. */
export interface OrderSide {
  readonly coin: string;
  readonly name: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly address: string;
  /** Empty where there is none. */
  readonly memo: string;
  /** Network fee in the side's coin. */
  readonly fee: Decimal;
  /** Confirmations that the side's transaction needs. */
  readonly confirmations: number;
}

/** A side with the place that its money goes to. Written out: with a spread, making it and its JSON takes twice as long. */
export function sideAt(
  { coin, name, network, amount, fee, confirmations }: Omit<OrderSide, 'address' | 'memo'>,
  { address, memo }: Pick<OrderSide, 'address' | 'memo'>,
): OrderSide {
  return { coin, name, network, amount, address, memo, fee, confirmations };
}

/**
 * An order as it was agreed when it was made. All of it stays as it is except the refund address; what happened
 * since is in its events. Times are milliseconds of the sandbox's clock.
 */
export interface Order {
  readonly orderNumber: string;
  /** Place in the order of creation, from 1. */
  readonly sequence: number;
  /** Public key of the partner that owns it. */
  readonly partnerKey: string;
  readonly type: RateType;
  readonly lastSource: Side;
  readonly deposit: OrderSide;
  readonly receive: OrderSide;
  readonly rate: Decimal;
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
  /** Empty where there is none. */
  readonly refundAddress: string;
  readonly createdAt: number;
  readonly windowMs: number;
  readonly confirmationMs: number;
  readonly exchangeMs: number;
}

/** What an operator can do to an order besides letting a deposit arrive. */
export const MOVES = ['pause', 'resume', 'freeze', 'fail', 'refund', 'succeed'] as const;

/** One of {@link MOVES}. */
export type MoveVerb = (typeof MOVES)[number];

/** A deposit that arrived. */
export interface DepositEvent {
  readonly kind: 'deposit';
  readonly at: number;
  readonly amount: Decimal;
  /** What is paid out for this amount, at the price of the moment where it is not the agreed one; null: no price. */
  readonly receive: Decimal | null;
  readonly txId: string;
}

/** Something that an operator did. */
interface MoveEvent {
  readonly kind: MoveVerb;
  readonly at: number;
}

/** Something that happened to an order, in the order in which it was recorded; times never go back. */
export type OrderEvent = DepositEvent | MoveEvent;

import type { Decimal } from '../../core/swap/amount.ts';
import type { RateType } from '../../core/swap/swap.ts';

/** One side of an order as it was agreed. */
export interface OrderSide {
  readonly coin: string;
  readonly name: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly address: string;
  /** Empty if there is none. */
  readonly memo: string;
  /** Network fee in the side's coin. */
  readonly fee: Decimal;
  /** Confirmations needed by the side's transaction. */
  readonly confirmations: number;
}

/**
 * An order as agreed at its creation. Only the refund address can change; what happened since is in its events. Times
 * are milliseconds of the sandbox's clock.
 */
export interface Order {
  readonly orderNumber: string;
  /** Place in the order of creation, from 1. */
  readonly sequence: number;
  /** Public key of the partner that owns it. */
  readonly partnerKey: string;
  readonly type: RateType;
  readonly deposit: OrderSide;
  readonly receive: OrderSide;
  readonly minAmount: Decimal;
  /** Empty if there is none. */
  readonly refundAddress: string;
  readonly createdAt: number;
  readonly windowMs: number;
  readonly confirmationMs: number;
  readonly exchangeMs: number;
  /** Its automatic actions; undefined for an order that waits for its operators. */
  readonly actions?: AutomaticActions | undefined;
}

/** Verbs that an operator can apply to an order, besides making a deposit arrive. */
export const MOVES = ['pause', 'resume', 'freeze', 'fail', 'refund', 'succeed'] as const;

export type MoveVerb = (typeof MOVES)[number];

/**
 * A verb of an operator, or a change that no operator makes but that clients must be tested against: a success without
 * a payout, an undocumented status, a commission kept from the payout, and a late deposit accepted.
 */
export type OrderAction = MoveVerb | 'succeed-unpaid' | 'unknown-status' | 'commission' | 'accept-late';

/**
 * The automatic actions of an order, worked out when it is created. Times count from the creation or the deposit, in
 * milliseconds, so that they stay true when all recorded times are shifted.
 */
export interface AutomaticActions {
  /** Deposit that arrives automatically, unless another one arrived before; null for none. */
  readonly deposit: AutomaticDeposit | null;
  /** What happens after the first deposit, from any sender; `after` counts from that deposit. */
  readonly moves: readonly { readonly kind: OrderAction; readonly after: number }[];
}

/** A deposit that arrives automatically; `after` counts from the creation. */
export interface AutomaticDeposit extends Pick<DepositEvent, 'amount' | 'receive' | 'txId'> {
  readonly after: number;
}

export interface DepositEvent {
  readonly kind: 'deposit';
  readonly at: number;
  readonly amount: Decimal;
  /** Payout for this amount: the agreed one, or for another amount the one at the current price; null: no price. */
  readonly receive: Decimal | null;
  readonly txId: string;
}

/** An event of an order; events are in the order in which they were recorded, and their times never go back. */
export type OrderEvent = DepositEvent | { readonly kind: OrderAction; readonly at: number };

export interface RecordedOrder {
  readonly order: Order;
  readonly events: readonly OrderEvent[];
}

import type { Decimal } from '../../swap/amount.ts';
import type { RateType } from '../../swap/swap.ts';
import type { Transition } from '../orders/lifecycle.ts';

/** One side of an order in the operator's view. */
export interface SandboxOrderSide {
  readonly coin: string;
  readonly network: string;
  /** The effective amount; null where there is no price for the deposited amount. */
  readonly amount: Decimal | null;
  readonly address: string;
  readonly memo: string | null;
  readonly txId: string | null;
  readonly confirmations: number | null;
}

/** An order in the operator's view; times are milliseconds of the sandbox's clock. */
export interface SandboxOrder {
  readonly order: string;
  /** Name of the partner that owns it, null if the partner was removed. */
  readonly partner: string | null;
  readonly status: number;
  readonly type: RateType;
  readonly deposit: SandboxOrderSide;
  readonly receive: SandboxOrderSide;
  readonly refundAddress: string | null;
  readonly createdAt: number;
  /** Time at which the status was entered. */
  readonly since: number;
  readonly endedAt: number | null;
  /** Every change of status so far. */
  readonly transitions: readonly Transition[];
}

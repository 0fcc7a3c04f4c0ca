import type { Decimal } from '../../core/swap/amount.ts';
import { payoutTxId } from '../orders/deposit-address/deposit-address.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import type { OrderSide, RecordedOrder } from '../orders/order.ts';

/** Time of the view, and facts about the order that its row does not have. */
interface ViewContext {
  readonly at: number;
  readonly partnerName: string | null;
  readonly seed: number;
}

/** The view of a recorded order at a time. */
export function sandboxOrder({ order, events }: RecordedOrder, { at, partnerName, seed }: ViewContext) {
  const state = orderStateAt(order, events, at);
  return {
    order: order.orderNumber,
    /** Name of the partner that owns it, null if the partner was removed. */
    partner: partnerName,
    status: state.status,
    type: order.type,
    deposit: sideView(order.deposit, state.depositAmount, state.deposit?.txId, state.deposit),
    receive: sideView(
      order.receive,
      state.receiveAmount,
      state.payout === null ? null : payoutTxId(order.receive, order.orderNumber, seed),
      state.payout,
    ),
    refundAddress: order.refundAddress === '' ? null : order.refundAddress,
    createdAt: order.createdAt,
    since: state.since,
    endedAt: state.endedAt,
    transitions: state.transitions,
  };
}

function sideView(
  { coin, network, address, memo }: OrderSide,
  amount: Decimal | null,
  txId: string | null | undefined,
  onChain: { readonly confirmations: number } | null,
) {
  return {
    coin,
    network,
    /** The effective amount; null if there is no price for the deposited amount. */
    amount,
    address,
    memo: memo === '' ? null : memo,
    txId: txId ?? null,
    confirmations: onChain?.confirmations ?? null,
  };
}

export type SandboxOrderSide = ReturnType<typeof sideView>;

/** An order in the operator's view; times are milliseconds of the sandbox's clock. */
export type SandboxOrder = ReturnType<typeof sandboxOrder>;

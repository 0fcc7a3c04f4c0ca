import { payoutTxId } from '../orders/deposit-address/deposit-address.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import type { RecordedOrder } from '../orders/repository.ts';
import type { SandboxOrder } from './sandbox-order.ts';

/** Time of the view, and facts about the order that its row does not have. */
interface ViewContext {
  readonly at: number;
  readonly partnerName: string | null;
  readonly seed: number;
}

/** The view of a recorded order at a time. */
export function sandboxOrder(
  { order, events }: RecordedOrder,
  { at, partnerName, seed }: ViewContext,
): SandboxOrder {
  const state = orderStateAt(order, events, at);
  return {
    order: order.orderNumber,
    partner: partnerName,
    status: state.status,
    type: order.type,
    deposit: {
      coin: order.deposit.coin,
      network: order.deposit.network,
      amount: state.depositAmount,
      address: order.deposit.address,
      memo: order.deposit.memo === '' ? null : order.deposit.memo,
      txId: state.deposit?.txId ?? null,
      confirmations: state.deposit?.confirmations ?? null,
    },
    receive: {
      coin: order.receive.coin,
      network: order.receive.network,
      amount: state.receiveAmount,
      address: order.receive.address,
      memo: order.receive.memo === '' ? null : order.receive.memo,
      txId: state.payout === null ? null : payoutTxId(order.receive, order.orderNumber, seed),
      confirmations: state.payout?.confirmations ?? null,
    },
    refundAddress: order.refundAddress === '' ? null : order.refundAddress,
    createdAt: order.createdAt,
    since: state.since,
    endedAt: state.endedAt,
    transitions: state.transitions,
  };
}

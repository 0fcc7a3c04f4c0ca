import { JsonNumber } from '../../partner-api/json.ts';
import { TYPE_SWAP } from '../../partner-api/statuses.ts';
import type { WireAmount, WireSide, WireTransaction } from '../../partner-api/types.ts';
import type { Decisions } from '../habits/decisions.ts';
import type { OrderState } from '../orders/lifecycle.ts';
import type { Order, OrderSide } from '../orders/order.ts';

const HIGHEST_USUAL_RISK = 25;

/** Parts of an answer about a swap besides its state. */
interface Shown {
  readonly withCreation: boolean;
  /** Transaction id of the payout; ignored before there is one. */
  readonly payoutTxId: string;
}

/**
 * A swap in the form of get-transaction and, without its creation time, of create-transaction:
 * docs/partner-api.md#transaction.
 */
export function wireTransaction(
  order: Order,
  state: OrderState,
  { wireAmount, expiry }: Pick<Decisions, 'wireAmount' | 'expiry'>,
  { withCreation, payoutTxId }: Shown,
): WireTransaction {
  const { deposit, payout } = state;
  const expires = expiry(order);
  const paid = payout === null ? null : order.receive;
  return {
    type: { typeSwap: TYPE_SWAP[order.type] },
    pairs: {
      deposit: wireSide(order.deposit, wireAmount(state.depositAmount)),
      receive: wireSide(order.receive, wireAmount(state.receiveAmount ?? order.receive.amount)),
    },
    receiveTransaction: {
      txId: paid === null ? '' : payoutTxId,
      address: paid?.address ?? '',
      receivedTime: timeText(payout?.seenAt),
      gettingInTheBlock: timeText(payout?.confirmedAt),
      amount: paid === null || state.receiveAmount === null ? null : wireAmount(state.receiveAmount),
      confirmation: payout?.confirmations ?? null,
      fees: paid === null ? null : wireAmount(paid.fee),
    },
    fees: { feeNodeDeposit: wireAmount(order.deposit.fee) },
    swapTime: {
      start: timeText(order.createdAt),
      end: timeText(state.endedAt),
      duration: state.endedAt === null ? '' : durationText(state.endedAt - order.createdAt),
    },
    orderNumber: order.orderNumber,
    status: state.status,
    txId: deposit?.txId ?? '',
    riskScore: deposit === null || deposit.confirmedAt === null ? null : riskScore(order),
    receivedTime: timeText(deposit?.seenAt),
    gettingInTheBlock: timeText(deposit?.confirmedAt),
    confirmation: deposit?.confirmations ?? null,
    // Undefined instead of left out: a spread here makes the object slow to write.
    createdAt: withCreation ? timeText(order.createdAt) : undefined,
    expiredAt: expires === undefined ? undefined : timeText(expires),
  };
}

/** A time in RFC 3339, UTC with milliseconds; empty text for none. */
function timeText(milliseconds: number | null | undefined): string {
  return milliseconds === null || milliseconds === undefined ? '' : new Date(milliseconds).toISOString();
}

/** A duration as `HH:MM:SS`, rounded down to whole seconds; more than 99 hours take more digits. */
function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function wireSide(side: OrderSide, value: WireAmount): WireSide {
  return {
    coin: {
      name: side.coin,
      value,
      network: side.network,
      fullName: side.name,
    },
    address: side.address,
    memo: side.memo,
  };
}

/** A risk score, always the same for an order; it has no effect. */
function riskScore({ sequence, orderNumber }: Order): JsonNumber {
  return new JsonNumber(String((sequence * 7 + orderNumber.charCodeAt(0)) % (HIGHEST_USUAL_RISK + 1)));
}

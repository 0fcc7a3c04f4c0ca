import { JsonNumber } from '../../partner-api/json.ts';
import { TYPE_SWAP } from '../../partner-api/statuses.ts';
import type { WireAmount, WireSide, WireTransaction } from '../../partner-api/types.ts';
import type { Decisions } from '../habits/decisions.ts';
import type { OrderState } from '../orders/lifecycle.ts';
import type { Order, OrderSide } from '../orders/order.ts';

const HIGHEST_USUAL_RISK = 25;
const HIGH_RISK = '87';

/** The forms in which a swap is written. */
type WireForms = Pick<Decisions, 'wireAmount' | 'expiry' | 'timeText' | 'durationText' | 'statusCode'>;

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
  { wireAmount, expiry, timeText: textOf, durationText, statusCode }: WireForms,
  { withCreation, payoutTxId }: Shown,
): WireTransaction {
  const timeText = (at: number | null | undefined) => (at === null || at === undefined ? '' : textOf(at));
  const { deposit, payout } = state;
  const expires = expiry(order);
  const paid = payout === null ? null : order.receive;
  return {
    type: { typeSwap: TYPE_SWAP[order.type] },
    pairs: {
      deposit: wireSide(order.deposit, wireAmount('pairs.deposit.coin.value', state.depositAmount)),
      receive: wireSide(
        order.receive,
        wireAmount('pairs.receive.coin.value', state.receiveAmount ?? order.receive.amount),
      ),
    },
    receiveTransaction: {
      txId: paid === null ? '' : payoutTxId,
      address: paid?.address ?? '',
      receivedTime: timeText(payout?.seenAt),
      gettingInTheBlock: timeText(payout?.confirmedAt),
      amount:
        paid === null || state.receiveAmount === null
          ? null
          : wireAmount('receiveTransaction.amount', state.receiveAmount),
      confirmation: payout?.confirmations ?? null,
      fees: paid === null ? null : wireAmount('receiveTransaction.fees', paid.fee),
    },
    fees: { feeNodeDeposit: wireAmount('fees.feeNodeDeposit', order.deposit.fee) },
    swapTime: {
      start: timeText(order.createdAt),
      end: timeText(state.endedAt),
      duration: state.endedAt === null ? '' : durationText(state.endedAt - order.createdAt),
    },
    orderNumber: order.orderNumber,
    status: statusCode(state.status),
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

/** A risk score, always the same for an order; it has no effect, and is high where a commission is kept. */
function riskScore({ sequence, orderNumber, course }: Order): JsonNumber {
  if (course?.moves.some(({ kind }) => kind === 'commission') === true) return new JsonNumber(HIGH_RISK);
  return new JsonNumber(String((sequence * 7 + orderNumber.charCodeAt(0)) % (HIGHEST_USUAL_RISK + 1)));
}

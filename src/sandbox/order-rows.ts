import type { LastSource } from '../partner-api/types.ts';
import type { RateType } from '../swap/swap.ts';
import type { MoveVerb, Order, OrderEvent } from './order.ts';
import type { EventTable, OrderTable } from './schema.ts';

/** An order as a row. */
export function orderRow(order: Order): OrderTable {
  const { deposit, receive } = order;
  return {
    order_number: order.orderNumber,
    sequence: order.sequence,
    partner_key: order.partnerKey,
    type: order.type,
    last_source: order.lastSource,
    deposit_coin: deposit.coin,
    deposit_name: deposit.name,
    deposit_network: deposit.network,
    deposit_amount: deposit.amount,
    deposit_address: deposit.address,
    deposit_memo: deposit.memo,
    deposit_fee: deposit.fee,
    deposit_confirmations: deposit.confirmations,
    receive_coin: receive.coin,
    receive_name: receive.name,
    receive_network: receive.network,
    receive_amount: receive.amount,
    receive_address: receive.address,
    receive_memo: receive.memo,
    receive_fee: receive.fee,
    receive_confirmations: receive.confirmations,
    payout_tx_id: order.payoutTxId,
    rate: order.rate,
    min_amount: order.minAmount,
    max_amount: order.maxAmount,
    refund_address: order.refundAddress,
    created_at: order.createdAt,
    window_ms: order.windowMs,
    confirmation_ms: order.confirmationMs,
    exchange_ms: order.exchangeMs,
  };
}

/** The order in a row. */
export function orderOf(row: OrderTable): Order {
  return {
    orderNumber: row.order_number,
    sequence: row.sequence,
    partnerKey: row.partner_key,
    type: row.type as RateType,
    lastSource: row.last_source as LastSource,
    deposit: {
      coin: row.deposit_coin,
      name: row.deposit_name,
      network: row.deposit_network,
      amount: row.deposit_amount,
      address: row.deposit_address,
      memo: row.deposit_memo,
      fee: row.deposit_fee,
      confirmations: row.deposit_confirmations,
    },
    receive: {
      coin: row.receive_coin,
      name: row.receive_name,
      network: row.receive_network,
      amount: row.receive_amount,
      address: row.receive_address,
      memo: row.receive_memo,
      fee: row.receive_fee,
      confirmations: row.receive_confirmations,
    },
    payoutTxId: row.payout_tx_id,
    rate: row.rate,
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    refundAddress: row.refund_address,
    createdAt: row.created_at,
    windowMs: row.window_ms,
    confirmationMs: row.confirmation_ms,
    exchangeMs: row.exchange_ms,
  };
}

/** An event of an order as a row. */
export function eventRow(orderNumber: string, position: number, event: OrderEvent): EventTable {
  const deposit = event.kind === 'deposit' ? event : null;
  return {
    order_number: orderNumber,
    position,
    kind: event.kind,
    at: event.at,
    amount: deposit?.amount ?? null,
    receive: deposit?.receive ?? null,
    tx_id: deposit?.txId ?? null,
  };
}

/** The event in a row. */
export function eventOf(row: Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>): OrderEvent {
  if (row.kind !== 'deposit') return { kind: row.kind as MoveVerb, at: row.at };
  return {
    kind: 'deposit',
    at: row.at,
    amount: row.amount ?? '0',
    receive: row.receive,
    txId: row.tx_id ?? '',
  };
}

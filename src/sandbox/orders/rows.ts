import type { EventTable, OrderTable } from '../state/schema.ts';
import { orderStateAt } from './lifecycle.ts';
import type { Order, OrderAction, OrderEvent, RecordedOrder } from './order.ts';

type Terms = Omit<Order, 'orderNumber' | 'sequence' | 'partnerKey' | 'refundAddress' | 'createdAt'>;

export function orderRow(order: Order): OrderTable {
  const { orderNumber, sequence, partnerKey, refundAddress, createdAt, ...terms } = order;
  return {
    sequence,
    order_number: orderNumber,
    partner_key: partnerKey,
    refund_address: refundAddress,
    created_at: createdAt,
    ...changeTimeColumns({ order, events: [] }),
    terms: JSON.stringify(terms satisfies Terms),
  };
}

/** The times between which the status of an order changes, as its events have it. */
export function changeTimeColumns({ order, events }: RecordedOrder) {
  const { transitions } = orderStateAt(order, events, Number.MAX_SAFE_INTEGER);
  return {
    changes_from: transitions[0]?.at ?? order.createdAt,
    changes_until: transitions.at(-1)?.at ?? order.createdAt,
  };
}

export function orderOf(row: OrderTable): Order {
  return {
    ...(JSON.parse(row.terms) as Terms),
    orderNumber: row.order_number,
    sequence: row.sequence,
    partnerKey: row.partner_key,
    refundAddress: row.refund_address,
    createdAt: row.created_at,
  };
}

export function eventRow(sequence: number, position: number, event: OrderEvent): EventTable {
  const deposit = event.kind === 'deposit' ? event : null;
  return {
    order_sequence: sequence,
    position,
    kind: event.kind,
    at: event.at,
    amount: deposit?.amount ?? null,
    receive: deposit?.receive ?? null,
    tx_id: deposit?.txId ?? null,
  };
}

export function eventOf(row: Pick<EventTable, 'kind' | 'at' | 'amount' | 'receive' | 'tx_id'>): OrderEvent {
  if (row.kind !== 'deposit') return { kind: row.kind as OrderAction, at: row.at };
  return {
    kind: 'deposit',
    at: row.at,
    amount: row.amount ?? '0',
    receive: row.receive,
    txId: row.tx_id ?? '',
  };
}

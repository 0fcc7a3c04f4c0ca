import type { CourseDeposit, DepositEvent, Order, OrderEvent } from './order.ts';

/**
 * The recorded events of an order and those that come by themselves, by time. A deposit of its own does not come where
 * another one came before, and what follows a deposit counts from the first that came.
 */
export function withCourse(order: Order, events: readonly OrderEvent[]): readonly OrderEvent[] {
  const { course, createdAt } = order;
  if (course === undefined) return events;
  const sent = events.find((event) => event.kind === 'deposit');
  const own = course.deposit === null ? undefined : depositEvent(course.deposit, createdAt);
  const first = own !== undefined && (sent === undefined || own.at < sent.at) ? own : sent;
  if (first === undefined) return events;
  const moves = course.moves.map(({ kind, after }): OrderEvent => ({ kind, at: first.at + after }));
  return merged(first === own ? [own, ...moves] : moves, events);
}

function depositEvent({ after, amount, receive, txId }: CourseDeposit, createdAt: number): DepositEvent {
  return { kind: 'deposit', at: createdAt + after, amount, receive, txId };
}

/** Two lists that are ordered by time as one; of two events at one time, that of the first list comes first. */
function merged(first: readonly OrderEvent[], second: readonly OrderEvent[]): readonly OrderEvent[] {
  const all: OrderEvent[] = [];
  let next = 0;
  for (const event of second) {
    for (let due = first[next]; due !== undefined && due.at <= event.at; due = first[next]) {
      all.push(due);
      next += 1;
    }
    all.push(event);
  }
  return [...all, ...first.slice(next)];
}

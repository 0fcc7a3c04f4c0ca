import type { Committed } from '../world/committed.ts';
import type { Violation } from './violation.ts';

/** The number of events of an entry, the number of the last one, and the last of a status. */
const EVENTS_OF = `select count(*) as count, max(sequence) as last,
  (select body from events where intent_id = ? and type like 'swap.%' and type <> 'swap.doubtful'
    order by sequence desc limit 1) as body
  from events where intent_id = ?`;

/** Doubts of an entry that none of its events has; a note of someone that a deposit was sent is no event. */
const UNREPORTED = `select each.value as doubt from intents, json_each(intents.doubts) as each where intents.id = ?
  and each.value <> 'deposit_sent_not_seen' and not exists (select 1 from events
    where intent_id = intents.id and type = 'swap.doubtful' and instr(body, '"' || each.value || '"') > 0)`;

/** Events count from 1 without a gap, and the last of a status is the status of the entry. */
export function checkEntry(
  disk: Committed,
  id: string,
  fail: (rule: string, what: string) => Violation,
): void {
  const [row] = disk.rows<{ events: number; status_code: number | null; outcome: string }>(
    'select events, status_code, outcome from intents where id = ?',
    id,
  );
  if (row === undefined) throw fail('entry', `entry ${id} is gone`);
  const [events] = disk.rows<{ count: number; last: number | null; body: string | null }>(EVENTS_OF, id, id);
  if (events?.count !== row.events || (events.last ?? 0) !== row.events)
    throw fail(
      'events',
      `${id} counts ${row.events} events and has ${events?.count}, the last is ${events?.last}`,
    );
  const { data } = JSON.parse(events.body ?? '{}') as { data?: { swap?: { statusCode: number } } };
  const reported = data?.swap?.statusCode ?? null;
  if (row.outcome === 'created' && row.status_code !== reported)
    throw fail('events', `${id} is in status ${row.status_code}, and its last event tells ${reported}`);
  const unreported = disk.rows<{ doubt: string }>(UNREPORTED, id)[0]?.doubt;
  if (unreported !== undefined)
    throw fail('events', `${id} has the doubt ${unreported}, of which no event tells`);
}

/** What an entry has of another order than its own: descriptions, and what people said before it was linked. */
const OF_ANOTHER = `select order_number as "order", coalesce(nullif(snapshot ->> 'order', order_number),
  nullif(first_snapshot ->> 'order', order_number), sent, quiet_until) as other from intents where id = ?`;

/** An entry that has just been linked to another order than before has nothing of the earlier one. */
export function checkLinked(disk: Committed, id: string, fail: Parameters<typeof checkEntry>[2]): void {
  const [row] = disk.rows<{ order: string; other: string | null }>(OF_ANOTHER, id);
  if (row !== undefined && row.other !== null)
    throw fail('own order', `${id} has ${row.order} now, and of its earlier order ${row.other}`);
}

/** Whether anyone listens to the account of an event. */
export function isListenedTo(disk: Committed, event: string): boolean {
  const listeners = `select account from webhooks where since is not null and account =
    (select account from events where id = ?)`;
  return disk.rows(listeners, event).length > 0;
}

import type { RecordedEvent } from '../../ledger/events/event.ts';
import type { Events } from '../../ledger/events/events.ts';

/**
 * Delay after its own time at which an event may still turn up in the ledger, in milliseconds: whoever recorded it may
 * have waited for others, and another machine may have another clock.
 */
const MAX_LATE_MS = 60_000;

/**
 * Gives the events of an account as they turn up in the ledger, whichever process records them: each once, those of a
 * swap in their order. Events that are there already when it is opened are not among them.
 */
export async function openTail(
  events: Events,
  account: string,
  now: () => number,
): Promise<() => Promise<readonly RecordedEvent[]>> {
  let from = now() - MAX_LATE_MS;
  let known: ReadonlySet<string> = new Set((await events.recordedSince(account, from)).map(({ id }) => id));
  return async () => {
    from = Math.max(from, now() - MAX_LATE_MS);
    const places = await events.recordedSince(account, from);
    const fresh = places.filter(({ id }) => !known.has(id));
    const found = fresh.length === 0 ? [] : await events.byIds(fresh.map(({ id }) => id));
    known = new Set(places.map(({ id }) => id));
    return inOrder(found);
  };
}

/** By time, but those of a swap by their numbers: a clock may have been set back between two of them. */
function inOrder(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const bySwap = new Map<string, RecordedEvent[]>();
  for (const event of events.toSorted((a, b) => a.sequence - b.sequence))
    bySwap.set(event.intentId, [...(bySwap.get(event.intentId) ?? []), event]);
  return events
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ intentId }) => bySwap.get(intentId)?.shift() ?? []);
}

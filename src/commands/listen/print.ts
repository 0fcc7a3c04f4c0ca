import type { Context } from '../../context.ts';
import type { Entry, Owner } from '../../ledger/entry.ts';
import { type RecordedEvent, type SwapEvent, storedEvent } from '../../ledger/events/event.ts';
import type { Events } from '../../ledger/events/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { isWantedType } from '../../swaps/listen/deliver.ts';
import { rfc3339 } from '../../time.ts';
import { eventLineView, type SnapshotEvent } from '../../views/events.ts';
import type { Listening } from './follow.ts';

/** Prints one event, or the state of a swap at the start: a line in each form. */
export async function printEvent({ streams }: Context, event: SwapEvent | SnapshotEvent): Promise<void> {
  if (streams.format === 'json') await streams.printLine(event);
  else await streams.print(eventLineView(event));
}

/** Gives a function that prints the events that turned up since its last call; `onEvent` is told of each. */
export async function openPrinter(
  { context, ledger, owner, orders, options }: Listening,
  onEvent: (event: SwapEvent) => void,
): Promise<() => Promise<void>> {
  const next = await openTail(ledger.events, owner.account, context.now);
  return async () => {
    for (const recorded of await next()) {
      const isMeant = orders === null || (recorded.order !== null && orders.includes(recorded.order));
      if (!isMeant) continue;
      const event = storedEvent(recorded);
      onEvent(event);
      if (isWantedType(event.type, options.types)) await printEvent(context, event);
    }
  };
}

/**
 * Delay after its own time at which an event may still turn up in the ledger, in milliseconds: the process that recorded it may
 * have waited for others, and another machine may have another clock.
 */
const MAX_LATE_MS = 60_000;

/**
 * Gives the events of an account as they turn up in the ledger, whichever process records them: each once, those of a
 * swap in their order. Events that are there already when it is opened are not among them.
 */
async function openTail(
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

/** Type of the lines that tell how the open swaps stood when listening began. */
const SNAPSHOT = 'swap.snapshot';

/** The open swaps of an owner as the ledger knows them, those of certain orders where these are named. */
export async function snapshots(
  context: Context,
  ledger: Ledger,
  owner: Owner,
  orders: readonly string[] | null,
): Promise<readonly SnapshotEvent[]> {
  const open = await ledger.open(owner);
  const meant = open.filter(({ order }) => order !== null && (orders === null || orders.includes(order)));
  const counts = await ledger.events.counts(meant.map(({ id }) => id));
  const now = context.now();
  return meant.map((entry) => snapshotOf(entry, counts.get(entry.id) ?? 0, now));
}

function snapshotOf(entry: Entry, sequence: number, now: number): SnapshotEvent {
  const { id, outcome, reason, requestedAt, seenAt, idempotencyKey, ...swap } = historyResult(
    entry,
    entry.doubts,
    now,
  );
  return {
    ...{ id: null, type: SNAPSHOT, at: rfc3339(now), sequence, order: entry.order },
    ...{ profile: entry.profile, environment: entry.environment, data: { swap }, previous: null },
  };
}

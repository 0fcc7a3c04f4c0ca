import type { DeliveryScope } from '../../ledger/events/deliveries.ts';
import type { Attempt, RecordedEvent } from '../../ledger/events/event.ts';
import type { Events } from '../../ledger/events/events.ts';
import { isWantedType } from './globs.ts';
import type { Target } from './targets.ts';

/** Everything that a round of deliveries needs. */
export interface Delivering {
  readonly events: Events;
  readonly scope: DeliveryScope;
  /** Under which name events are taken; each process has its own. */
  readonly holder: string;
  /** Types that are delivered; null for all. */
  readonly types: readonly string[] | null;
  readonly targets: readonly Target[];
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborted when no further delivery is to begin. */
  readonly stop: AbortSignal;
  /** Waits a little, or until something may be due; never fails. */
  pause(): Promise<void>;
  /** Told that everything ends once so many deliveries are over. */
  onFinishing(inFlight: number): void;
  /** Told what came of each event. */
  onSettled(event: RecordedEvent, attempts: readonly Attempt[]): void;
}

/** So many events, each of another swap, are on their way at once: a receiver that hangs holds up no other swap. */
const MAX_IN_FLIGHT = 8;

/**
 * Delivers everything that is due, and ends once nothing is, or after the deliveries in flight when it is to stop.
 * Returns how many events were tried. Throws StorageError where the ledger fails, after the deliveries in flight.
 */
export async function deliverDue(work: Delivering): Promise<number> {
  const inFlight = new Set<Promise<void>>();
  let tried = 0;
  try {
    for (;;) {
      const event = await nextEvent(work, inFlight.size);
      if (event !== null) {
        tried += 1;
        const delivery: Promise<void> = deliver(work, event).finally(() => inFlight.delete(delivery));
        // Its failure is thrown below; until then nobody may miss it.
        delivery.catch(() => undefined);
        inFlight.add(delivery);
      } else if (inFlight.size === 0) return tried;
      else if (work.stop.aborted) return await finish(work, inFlight, tried);
      else await Promise.race([...inFlight, work.pause()]);
    }
  } finally {
    await Promise.allSettled(inFlight);
  }
}

/** Everything is to end, but what is under way at a receiver is not cut off. */
async function finish(
  work: Delivering,
  inFlight: ReadonlySet<Promise<void>>,
  tried: number,
): Promise<number> {
  work.onFinishing(inFlight.size);
  await Promise.all(inFlight);
  return tried;
}

async function nextEvent(work: Delivering, inFlight: number): Promise<RecordedEvent | null> {
  if (work.stop.aborted || inFlight >= MAX_IN_FLIGHT) return null;
  return work.events.claim(work.scope, work.holder, work.now());
}

async function deliver(work: Delivering, event: RecordedEvent): Promise<void> {
  const { events, types, targets, now } = work;
  if (!isWantedType(event.type, types)) return events.discard(event, now());
  const attempts = await Promise.all(targets.map((target) => target(event)));
  await events.settle(event, attempts, now());
  work.onSettled(event, attempts);
}

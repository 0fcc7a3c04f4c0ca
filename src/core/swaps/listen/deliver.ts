import { echoed } from '../../../base/text.ts';
import type { DeliveryResult, DeliveryScope } from '../../ledger/events/deliveries.ts';
import {
  type Attempt,
  CREATE_UNKNOWN,
  DOUBTFUL,
  type RecordedEvent,
  statusType,
} from '../../ledger/events/event.ts';
import type { Events } from '../../ledger/events/events.ts';
import { listedStatuses } from '../../partner-api/statuses.ts';
import type { Ports } from '../ports.ts';
import type { Target } from './targets.ts';

/** Everything that a round of deliveries needs. */
export interface Delivering {
  readonly events: Events;
  readonly scope: DeliveryScope;
  /** The name under which events are leased; unique to each process. */
  readonly holder: string;
  /** Patterns of the types that are delivered; null for all. */
  readonly types: readonly string[] | null;
  readonly targets: readonly Target[];
  /** Results that are not in the ledger yet: one that fails is given them again, so that no event is sent twice for it. */
  readonly unrecorded: DeliveryResult[];
  now(): number;
  /** Aborted when no further delivery must start. */
  readonly stop: AbortSignal;
  /** Waits a little, or until something may be due; never fails. */
  pause(): Promise<void>;
  /** Called with the number of deliveries in flight, once nothing else will be delivered. */
  onDraining(inFlight: number): void;
  /** Called with the attempts to deliver an event. */
  onSettled(event: RecordedEvent, attempts: readonly Attempt[]): void;
}

/** Maximum number of events in flight, each of another swap, so that a receiver that hangs delays no other swap. */
const MAX_IN_FLIGHT = 8;

/**
 * Delivers everything that is due, and ends once nothing is or, when stopped, after the deliveries in flight. Returns
 * the number of events tried. If the ledger fails, throws StorageError after the deliveries in flight.
 */
export async function deliverDue(work: Delivering): Promise<number> {
  const inFlight = new Set<Promise<void>>();
  const done = work.unrecorded;
  let tried = 0;
  try {
    for (;;) {
      // Results that arrived while the ledger was being written are recorded together with the next ones.
      await record(work);
      const most = work.stop.aborted ? 0 : MAX_IN_FLIGHT - inFlight.size;
      const events = most === 0 ? [] : await work.events.claim(work.scope, work.holder, work.now(), most);
      for (const event of events) {
        const delivery: Promise<void> = deliver(work, event)
          .then((settled) => void done.push(settled))
          .finally(() => inFlight.delete(delivery));
        // Its failure is thrown below; until then it must not count as unhandled.
        delivery.catch(() => undefined);
        inFlight.add(delivery);
      }
      tried += events.length;
      if (inFlight.size === 0 && done.length === 0) return tried;
      if (work.stop.aborted) {
        // Everything must end, but deliveries in progress are not cut off.
        work.onDraining(inFlight.size);
        await Promise.all(inFlight);
        return tried;
      }
      if (done.length === 0) await Promise.race([...inFlight, work.pause()]);
    }
  } finally {
    await Promise.allSettled(inFlight);
    await record(work);
  }
}

async function deliver({ types, targets }: Delivering, event: RecordedEvent): Promise<DeliveryResult> {
  if (!isWantedType(event.type, types)) return { event, attempts: null };
  return { event, attempts: await Promise.all(targets.map((target) => target(event))) };
}

async function record({ events, now, onSettled, unrecorded }: Delivering): Promise<void> {
  const settled = [...unrecorded];
  if (settled.length === 0) return;
  await events.settle(settled, now());
  unrecorded.splice(0, settled.length);
  for (const { event, attempts } of settled) if (attempts !== null) onSettled(event, attempts);
}

/** Default age at which delivered events are removed, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Interval between two searches for old events, in milliseconds. */
const PRUNE_INTERVAL_MS = 3_600_000;

/** Interval between two searches for creates whose process ended before their response, in milliseconds. */
const LOST_INTERVAL_MS = 60_000;

/**
 * Returns a function that does what is due: it records creates whose process ended before their answer, and removes a few
 * old events at each call, and searches again an hour after none was left. Default of `keptMs`: 90 days.
 */
export function openUpkeep(
  ports: Pick<Ports, 'now' | 'monotonic'>,
  events: Pick<Events, 'recordLostCreates' | 'pruneDelivered'>,
  { account, keptMs }: { readonly account: string; readonly keptMs: number | null },
): () => Promise<void> {
  const kept = keptMs ?? KEPT_MS;
  const next = { prune: Number.NEGATIVE_INFINITY, lost: Number.NEGATIVE_INFINITY };
  return async () => {
    const now = ports.monotonic();
    if (now >= next.lost) {
      await events.recordLostCreates(account, ports.now());
      next.lost = now + LOST_INTERVAL_MS;
    }
    if (now >= next.prune) {
      const removed = await events.pruneDelivered(ports.now() - kept);
      next.prune = removed === 0 ? now + PRUNE_INTERVAL_MS : now;
    }
  };
}

/** Whether a type is one of the selected ones; null selects all. */
export function isWantedType(type: string, globs: readonly string[] | null): boolean {
  return globs === null || globs.some((glob) => matchesGlob(type, glob));
}

const EVENT_TYPES: readonly string[] = [
  ...new Set([...listedStatuses().map(({ status }) => statusType(status)), statusType('unknown')]),
  DOUBTFUL,
  CREATE_UNKNOWN,
  'approval.requested',
  'approval.granted',
];

/** Maximum length of a pattern, in characters: no type is longer. */
const MAX_GLOB = 100;

/** Message about a pattern that matches no type, so that nothing would be delivered; null if each matches one. */
export function unknownTypeMessage(globs: readonly string[]): string | null {
  const idle = globs.find(
    (glob) => glob.length > MAX_GLOB || !EVENT_TYPES.some((type) => matchesGlob(type, glob)),
  );
  return idle === undefined
    ? null
    : `Unknown event type ${echoed(idle)}. Choose from ${EVENT_TYPES.join(', ')}.`;
}

/** Whether a type matches a pattern in which `*` means any letters. */
function matchesGlob(type: string, glob: string): boolean {
  const pattern = glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
  return new RegExp(`^${pattern}$`).test(type);
}

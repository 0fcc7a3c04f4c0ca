import type { Events } from '../../ledger/events/events.ts';
import type { Ports } from '../ports.ts';

/** Default age at which delivered events are removed, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Between two searches for old events, in milliseconds. */
const PRUNE_INTERVAL_MS = 3_600_000;

/** Between two searches for creates whose process ended before their answer, in milliseconds. */
const LOST_INTERVAL_MS = 60_000;

/**
 * Returns a function that does what is due: it records creates whose process ended before their answer, and removes a few
 * old events at each call, and searches again an hour after none was left. Default of `keptMs`: 90 days.
 */
export function openUpkeep(
  ports: Pick<Ports, 'now' | 'monotonic'>,
  events: Events,
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

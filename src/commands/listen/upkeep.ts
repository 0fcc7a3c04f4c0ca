import type { Context } from '../../context.ts';
import type { Events } from '../../ledger/events/events.ts';
import { storedSetting } from '../shared/stored-setting.ts';

/** Age at which delivered events are removed unless `config set events-kept` says otherwise, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Between two searches for old events, in milliseconds. */
const PRUNE_INTERVAL_MS = 3_600_000;

/** Between two searches for creates that nobody settled, in milliseconds. */
const LOST_INTERVAL_MS = 60_000;

/**
 * Gives a function that does what is due: it records creates that nobody settled, and removes a few old events at each
 * call, and looks for more an hour after none was left.
 */
export function openUpkeep(context: Context, events: Events, account: string): () => Promise<void> {
  const kept = storedSetting(context, 'events-kept') ?? KEPT_MS;
  const next = { prune: Number.NEGATIVE_INFINITY, lost: Number.NEGATIVE_INFINITY };
  return async () => {
    const now = context.monotonic();
    if (now >= next.lost) {
      await events.recordLostCreates(account, context.now());
      next.lost = now + LOST_INTERVAL_MS;
    }
    if (now >= next.prune) {
      const removed = await events.pruneDelivered(context.now() - kept);
      next.prune = removed === 0 ? now + PRUNE_INTERVAL_MS : now;
    }
  };
}

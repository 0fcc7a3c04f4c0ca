import type { Context } from '../../context.ts';
import type { Events } from '../../ledger/events/events.ts';
import { storedSetting } from '../shared/stored-setting.ts';

/** Age at which delivered events are removed unless `config set events-kept` says otherwise, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Between two searches for old events. */
const PRUNE_INTERVAL_MS = 3_600_000;

/** Gives a function that removes a few old events at each call, and looks for more an hour after none was left. */
export function openPruning(context: Context, events: Events): () => Promise<void> {
  const kept = storedSetting(context, 'events-kept') ?? KEPT_MS;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = context.monotonic();
    if (now < next) return;
    const removed = await events.pruneDelivered(context.now() - kept);
    next = removed === 0 ? now + PRUNE_INTERVAL_MS : now;
  };
}

import type { Context } from '../../context.ts';
import type { Entry, Owner } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { rfc3339 } from '../../time.ts';
import type { SnapshotEvent } from '../../views/events.ts';

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

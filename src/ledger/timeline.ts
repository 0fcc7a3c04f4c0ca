import type { ChangedValue, Changes } from '../swap/changes.ts';
import type { RecordedChange } from './changes.ts';
import type { Entry } from './entry.ts';
import type { Sighting } from './ledger.ts';
import type { SwapResult } from './swap-result.ts';

/** One change of a swap, keys in the order of docs/command-line.md#json. */
export interface TimelineEvent {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** `create.requested`, or as in {@link RecordedChange}. */
  readonly type: string;
  /** Status from then on; null where no order was known yet. */
  readonly status: string | null;
  readonly statusCode: number | null;
  /** Values before and after by their paths in `swap`; null is one that was not known. */
  readonly changes: Changes;
}

/** Everything that was seen of a swap, oldest first, and the swap as it was last seen. */
export interface TimelineResult {
  readonly order: string | null;
  readonly events: readonly TimelineEvent[];
  readonly swap: SwapResult;
}

/** A status of a swap, and from when to when it was seen. Times are RFC 3339, UTC. */
export interface StatusSpan {
  readonly status: string;
  readonly statusCode: number;
  readonly firstSeenAt: string;
  /** Last look at which it was still in it; null where an older version did not keep that. */
  readonly lastSeenAt: string | null;
}

/** What the ledger keeps of one entry. */
export interface EntryRecord {
  readonly entry: Entry;
  readonly changes: readonly RecordedChange[];
  readonly sightings: readonly Sighting[];
}

/**
 * The events of an entry's timeline: its create request, and every change. Of the time when older versions wrote the
 * ledger it has the statuses alone.
 */
export function timelineEvents({ entry, changes, sightings }: EntryRecord): readonly TimelineEvent[] {
  const events = [...requested(entry), ...statusesAlone(changes, sightings), ...changes.map(ownEvent)];
  // Sorting keeps the order of what happened at one time.
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Every status in which a swap was seen, oldest first; it may be in one several times. */
export function statusSpans(record: EntryRecord): readonly StatusSpan[] {
  const { entry, changes, sightings } = record;
  const lastLook = entry.seenAt === null ? null : timeText(entry.seenAt);
  const until = new Map(changes.map(({ at, unchangedUntil }) => [timeText(at), unchangedUntil]));
  const seen = [...statusesAlone(changes, sightings), ...changes.map(ownEvent)]
    .filter((event) => 'statusCode' in event.changes)
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return seen.flatMap(({ at, status, statusCode }, index) => {
    if (status === null || statusCode === null) return [];
    const next = seen[index + 1];
    const before = next === undefined ? null : (until.get(next.at) ?? null);
    const lastSeenAt = next === undefined ? lastLook : before === null ? null : timeText(before);
    return [{ status, statusCode, firstSeenAt: at, lastSeenAt }];
  });
}

/** When the present refund address was set, RFC 3339; null where the ledger does not know. */
export function refundAddressSetAt({ entry, changes }: EntryRecord): string | null {
  const { refundAddress, request, requestedAt } = entry;
  if (refundAddress === null) return null;
  const set = changes.findLast((change) => change.changes['refundAddress']?.[1] === refundAddress);
  if (set !== undefined) return timeText(set.at);
  return request?.refundAddress === refundAddress ? timeText(requestedAt) : null;
}

function requested({ request, requestedAt }: Entry): readonly TimelineEvent[] {
  if (request === null) return [];
  const { deposit, receive, amount, quoted, address, memo, refundAddress, type } = request;
  const asked: Readonly<Record<string, ChangedValue>> = {
    ...{ type, 'deposit.coin': deposit.coin, 'deposit.network': deposit.network, 'deposit.amount': amount },
    ...{ 'receive.coin': receive.coin, 'receive.network': receive.network, 'receive.amount': quoted ?? null },
    ...{ 'receive.address': address, 'receive.memo': memo, refundAddress },
  };
  const known = Object.entries(asked).filter(([, value]) => value !== null);
  const changes = Object.fromEntries(known.map(([path, value]) => [path, [null, value] as const]));
  return [{ at: timeText(requestedAt), type: 'create.requested', status: null, statusCode: null, changes }];
}

/** The sightings of a status for which there is no recorded change: those of older versions. */
function statusesAlone(
  changes: readonly RecordedChange[],
  sightings: readonly Sighting[],
): readonly TimelineEvent[] {
  const recorded = new Set(changes.map(({ at, statusCode }) => `${at} ${statusCode}`));
  return sightings.flatMap(({ seenAt, status, statusCode }, index) => {
    if (recorded.has(`${seenAt} ${statusCode}`)) return [];
    const before = sightings[index - 1];
    const change: Changes = {
      status: [before?.status ?? null, status],
      statusCode: [before?.statusCode ?? null, statusCode],
    };
    return [{ at: timeText(seenAt), type: `swap.${status}`, status, statusCode, changes: change }];
  });
}

function ownEvent({ at, type, status, statusCode, changes }: RecordedChange): TimelineEvent {
  return { at: timeText(at), type, status, statusCode, changes };
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

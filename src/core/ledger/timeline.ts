import { rfc3339 } from '../../base/time.ts';
import type { ChangedValue } from '../swap/changes.ts';
import type { RecordedChange } from './changes.ts';
import type { Entry } from './entry.ts';
import type { LedgerSwap } from './swap-result.ts';

/** One change of a swap, keys in the order of docs/command-line/output.md#json. */
export interface TimelineEvent extends Omit<RecordedChange, 'at' | 'unchangedUntil'> {
  readonly at: string;
}

/** Everything that was seen about a swap, oldest first, and the swap as last seen. */
export interface TimelineResult {
  readonly order: string | null;
  readonly events: readonly TimelineEvent[];
  readonly swap: LedgerSwap;
}

/** A status of a swap, and from when to when it was seen. Times are RFC 3339, UTC. */
export interface StatusSpan {
  readonly status: string;
  readonly statusCode: number;
  readonly firstSeenAt: string;
  /** Last poll at which it was still in it; null if there was none. */
  readonly lastSeenAt: string | null;
}

export interface EntryWithChanges {
  readonly entry: Entry;
  readonly changes: readonly RecordedChange[];
}

/** The events of an entry's timeline: its create request, and every change. */
export function timelineEvents({ entry, changes }: EntryWithChanges): readonly TimelineEvent[] {
  const events = [
    ...requestEvents(entry),
    ...changes.map(({ unchangedUntil: _, ...change }) => ({ ...change, at: rfc3339(change.at) })),
  ];
  // Sorting keeps the order of what happened at one time.
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Every status in which a swap was seen, oldest first; it may be in one several times. */
export function statusSpans({ entry, changes }: EntryWithChanges): readonly StatusSpan[] {
  const seen = changes
    .filter((change) => 'statusCode' in change.changes)
    // Sorting keeps the order of what happened at one time.
    .sort((a, b) => a.at - b.at);
  return seen.flatMap(({ at, status, statusCode }, index) => {
    if (status === null || statusCode === null) return [];
    const next = seen[index + 1];
    const until = next === undefined ? entry.seenAt : next.unchangedUntil;
    const lastSeenAt = until === null ? null : rfc3339(until);
    return [{ status, statusCode, firstSeenAt: rfc3339(at), lastSeenAt }];
  });
}

/** When the current refund address was set, RFC 3339; null if the ledger does not know. */
export function refundAddressSetAt({ entry, changes }: EntryWithChanges): string | null {
  const { refundAddress, request, requestedAt } = entry;
  if (refundAddress === null) return null;
  const set = changes.findLast((change) => change.changes['refundAddress']?.[1] === refundAddress);
  if (set !== undefined) return rfc3339(set.at);
  return request?.refundAddress === refundAddress ? rfc3339(requestedAt) : null;
}

function requestEvents({ request, requestedAt }: Entry): readonly TimelineEvent[] {
  if (request === null) return [];
  const { deposit, receive, amount, quoted, address, memo, refundAddress, type } = request;
  const asked: Readonly<Record<string, ChangedValue>> = {
    type,
    'deposit.coin': deposit.coin,
    'deposit.network': deposit.network,
    'deposit.amount': amount,
    'receive.coin': receive.coin,
    'receive.network': receive.network,
    'receive.amount': quoted,
    'receive.address': address,
    'receive.memo': memo,
    refundAddress,
  };
  const known = Object.entries(asked).filter(([, value]) => value !== null);
  const changes = Object.fromEntries(known.map(([path, value]) => [path, [null, value] as const]));
  return [{ at: rfc3339(requestedAt), type: 'create.requested', status: null, statusCode: null, changes }];
}

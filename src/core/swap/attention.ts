import { wireTime } from '../../base/time.ts';
import type { Swap } from './swap.ts';

/** Why a swap needs attention: a doubt, a status in which the service waits for one, or a bad end. */
export type AttentionReason =
  | 'doubt'
  | 'pause'
  | 'frozen'
  | 'refund-without-address'
  | 'late-deposit'
  | 'failed-without-address'
  | 'failed';

/** The facts about a swap that decide whether it needs attention. */
export interface NeedFacts extends Pick<Swap, 'status' | 'deposit'> {
  readonly doubts: readonly string[];
  readonly refundAddress: string | null;
}

/** Statuses that an order reaches only after its deposit. */
const FUNDED: ReadonlySet<string | null> = new Set(['confirmation', 'exchanging', 'success', 'refund']);

/**
 * Whether the service has seen a deposit: its status says so, or it names a transaction, its time or its confirmations.
 * No confirmations yet is no evidence: some services send 0 before there is a transaction.
 */
export function isDepositSeen({
  status,
  deposit,
}: Pick<Swap, 'deposit'> & { readonly status: string | null }): boolean {
  const { txId, receivedAt, confirmedAt, confirmations } = deposit;
  if (FUNDED.has(status) || txId !== null || receivedAt !== null || confirmedAt !== null) return true;
  return confirmations !== null && confirmations > 0;
}

/** Why a swap needs attention; null if it continues without one, or is over. */
export function needOf({ status, deposit, doubts, refundAddress }: NeedFacts): AttentionReason | null {
  if (doubts.length > 0) return 'doubt';
  if (status === 'pause' || status === 'frozen') return status;
  if (status === 'refund') return refundAddress === null ? 'refund-without-address' : null;
  if (!isDepositSeen({ status, deposit })) return null;
  if (status === 'overdue') return 'late-deposit';
  if (status !== 'error') return null;
  return refundAddress === null ? 'failed-without-address' : 'failed';
}

/** A deposit window that ends sooner than this needs attention, in milliseconds. */
const URGENT_WINDOW_MS = 5 * 60_000;

/** What {@link attentionOf} and {@link urgencyRank} read of a swap. */
export interface UrgencyFacts extends NeedFacts, Pick<Swap, 'final' | 'expiresAt'> {}

/** Milliseconds left of a swap's deposit window, 0 once it is over, by the service's clock; null if none is known. */
export function windowLeft(swap: Pick<Swap, 'status' | 'deposit' | 'expiresAt'>, now: number): number | null {
  const end = swap.status === 'new' && !isDepositSeen(swap) ? wireTime(swap.expiresAt) : null;
  return end === null ? null : Math.max(0, end - now);
}

/** Why a swap needs attention now, a deposit window that is about to end included; null if it needs none. */
export function attentionOf(swap: UrgencyFacts, now: number): AttentionReason | 'window-ends' | null {
  const left = windowLeft(swap, now);
  const endsSoon = left !== null && left > 0 && left <= URGENT_WINDOW_MS;
  return needOf(swap) ?? (endsSoon ? 'window-ends' : null);
}

/** Statuses that continue without a person, the one that changes soonest first. */
const MOVING = ['exchanging', 'confirmation', 'unknown', 'new'];

/** Ranks in the order of {@link urgencyRank}: of a swap that was never seen, and of one that is over. */
export const RANK_UNSEEN = 10;
export const RANK_OVER = 20;

/** Rank of a swap by urgency, lowest first: needs attention, its window ends soon, moves, is over. */
export function urgencyRank(swap: UrgencyFacts, now: number): number {
  const attention = attentionOf(swap, now);
  if (attention !== null && attention !== 'window-ends') return 0;
  if (swap.final) return RANK_OVER;
  return attention === 'window-ends' ? 1 : 2 + Math.max(0, MOVING.indexOf(swap.status));
}

/** The swaps that need attention now, the most urgent first. */
export function mostUrgent<S extends UrgencyFacts>(swaps: readonly S[], now: number): readonly S[] {
  return swaps
    .filter((swap) => attentionOf(swap, now) !== null)
    .map((swap) => ({ swap, rank: urgencyRank(swap, now), left: windowSortValue(swap, now) }))
    .sort((a, b) => a.rank - b.rank || a.left - b.left)
    .map(({ swap }) => swap);
}

/** Milliseconds left of a swap's window, for sorting: the largest safe integer without one, so that it comes last. */
export function windowSortValue(swap: UrgencyFacts, now: number): number {
  return windowLeft(swap, now) ?? Number.MAX_SAFE_INTEGER;
}

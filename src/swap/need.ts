import { isDepositSeen } from './agreement/fundable.ts';
import type { Swap } from './swap.ts';

/** What of a swap needs a person: a doubt, a status in which the service waits for one, or a bad end. */
export type Need =
  | 'doubt'
  | 'pause'
  | 'frozen'
  | 'refund-without-address'
  | 'late-deposit'
  | 'failed-without-address'
  | 'failed';

/** The facts about a swap that decide whether it needs a person. */
export interface NeedFacts extends Pick<Swap, 'status' | 'deposit'> {
  readonly doubts: readonly string[];
  readonly refundAddress: string | null;
}

/** Why a swap needs a person; null where it goes on without one, or is over. */
export function needOf({ status, deposit, doubts, refundAddress }: NeedFacts): Need | null {
  if (doubts.length > 0) return 'doubt';
  if (status === 'pause' || status === 'frozen') return status;
  if (status === 'refund') return refundAddress === null ? 'refund-without-address' : null;
  if (!isDepositSeen({ deposit })) return null;
  if (status === 'overdue') return 'late-deposit';
  if (status !== 'error') return null;
  return refundAddress === null ? 'failed-without-address' : 'failed';
}

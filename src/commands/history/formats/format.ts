import type { HistoryResult } from '../../../ledger/swap-result.ts';
import { wireTime } from '../../../swap/agreement/wire-time.ts';
import type { Decimal } from '../../../swap/amount.ts';
import type { Visible } from '../../../text.ts';

/** A format of programs for accounts. */
export interface AccountsFormat {
  /** Statuses of the swaps that it has a place for. */
  readonly statuses: readonly string[];
  readonly head: Visible;
  /** Text of one settled swap. */
  entry(swap: SettledSwap): Visible;
}

/** A swap that has ended, with all that accounts need of it. */
export interface SettledSwap {
  readonly swap: HistoryResult;
  readonly depositCoin: string;
  readonly deposit: Decimal;
  readonly receiveCoin: string;
  /** What was paid out; null for a refund. */
  readonly paid: Decimal | null;
  /** When it ended, as RFC 3339 in UTC. */
  readonly at: string;
}

/** A swap as accounts need it; null where the service does not say the amounts. */
export function settledSwap(swap: HistoryResult): SettledSwap | null {
  const { deposit, receive, endedAt, requestedAt, status } = swap;
  const paid = status === 'success' ? (receive.paidAmount ?? receive.amount) : null;
  if (deposit.coin === null || deposit.amount === null || receive.coin === null) return null;
  if (status === 'success' && paid === null) return null;
  const ended = [endedAt, receive.confirmedAt, receive.receivedAt].map(wireTime);
  const at = ended.find((time) => time !== null);
  return {
    swap,
    depositCoin: deposit.coin,
    deposit: deposit.amount,
    receiveCoin: receive.coin,
    paid,
    at: at === undefined || at === null ? requestedAt : new Date(at).toISOString(),
  };
}

import { shellQuote } from '../../../base/files.ts';
import { isDepositSeen } from '../../../core/swap/need.ts';
import { usualNext } from '../../../core/swap/polling.ts';
import type { PolledSwap } from '../../../core/swaps/profile-poll.ts';
import type { Context } from '../../context.ts';
import { attentionWords } from '../../views/attention.ts';
import type { SwapDetailsExtras } from '../../views/swap.ts';

/** What usually happens next to a swap, based on the ledger's times, and what a person has to do. */
export async function whatNext(
  context: Context,
  { swap, id, now }: Pick<PolledSwap, 'swap' | 'id' | 'now'>,
): Promise<Required<Pick<SwapDetailsExtras, 'next' | 'action'>>> {
  const action = attentionWords(swap, now);
  if (swap.final || id === null) return { next: null, action };
  const ledger = await context.ledger();
  const entry = await ledger.byId(id);
  if (entry === null || entry.changedAt === null) return { next: null, action };
  const times = await ledger.statusTimes(entry, swap.status, context.now());
  const age = context.now() - entry.changedAt;
  const isLate = isDepositSeen(swap) && times !== null && age > times.p90;
  const late = isLate ? `Slow for its pair: swapctl history support ${shellQuote(swap.order ?? '')}` : null;
  return { next: usualNext(times, age), action: action ?? late };
}

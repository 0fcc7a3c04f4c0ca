import { compareDecimals } from '../../../swap/amount.ts';
import { fellBeyond, percentChange } from '../../../swap/price-change.ts';
import type { Swap } from '../../../swap/swap.ts';
import type { CheckedSwap } from './check.ts';

/**
 * Notice of a payout that fell by more than the tolerance, below the quote or below what was reviewed: no contradiction,
 * but nobody has to accept it.
 */
export function shortfall(
  { request, quote, reviewed, tolerance }: Pick<CheckedSwap, 'request' | 'quote' | 'reviewed' | 'tolerance'>,
  { receive: { amount } }: Swap,
): readonly string[] {
  const isReview = compareDecimals(reviewed, quote.receive) > 0;
  const before = isReview ? reviewed : quote.receive;
  if (amount === null || !fellBeyond(before, amount, tolerance)) return [];
  const { coin } = request.receive;
  return [
    `The order pays ${amount} ${coin} where the ${isReview ? 'review' : 'quote'} said ${before} ${coin} (${percentChange(before, amount)}). It costs nothing to leave it unfunded.`,
  ];
}

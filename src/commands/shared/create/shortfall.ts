import { fellBeyond, percentChange } from '../../../swap/price-change.ts';
import type { Swap } from '../../../swap/swap.ts';
import type { CheckedSwap } from './check.ts';

/** Notice of a payout that fell by more than the tolerance: no contradiction, but nobody has to accept it. */
export function shortfall(
  { request, quote, tolerance }: Pick<CheckedSwap, 'request' | 'quote' | 'tolerance'>,
  { receive: { amount } }: Swap,
): readonly string[] {
  if (amount === null || !fellBeyond(quote.receive, amount, tolerance)) return [];
  const { coin } = request.receive;
  return [
    `The order pays ${amount} ${coin} where the quote said ${quote.receive} ${coin} (${percentChange(quote.receive, amount)}). It costs nothing to leave it unfunded.`,
  ];
}

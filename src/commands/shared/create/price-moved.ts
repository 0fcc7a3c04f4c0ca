import { UsageError } from '../../../errors.ts';
import { sameAmount } from '../../../swap/amount.ts';
import { fellBeyond, percentChange, roseBeyond } from '../../../swap/price-change.ts';
import type { Quote, SwapRequest } from '../../../swap/swap.ts';
import type { CheckedSwap } from './check.ts';

/** What is compared of two prices of one swap. */
export interface Priced extends Pick<CheckedSwap, 'tolerance'> {
  readonly request: Pick<SwapRequest, 'deposit' | 'receive' | 'amount'>;
  readonly quote: Pick<Quote, 'receive'>;
}

/** Whether a price is worse than the reviewed one by more than the tolerance: less is paid out, or more to be sent. */
export function hasWorsened(before: Priced, now: Priced): boolean {
  return (
    fellBeyond(before.quote.receive, now.quote.receive, before.tolerance) ||
    roseBeyond(before.request.amount, now.request.amount, before.tolerance)
  );
}

/** The reviewed amount and the present one of each side that changed: the payout, and with `--receive` the deposit. */
export function changeWords(before: Priced, now: Priced): string | null {
  const { deposit, receive } = now.request;
  const sides = [
    { coin: deposit.coin, was: before.request.amount, is: now.request.amount, which: ' to send' },
    { coin: receive.coin, was: before.quote.receive, is: now.quote.receive, which: '' },
  ].filter(({ was, is }) => !sameAmount(was, is));
  if (sides.length === 0) return null;
  return sides
    .map(
      ({ coin, was, is, which }) =>
        `reviewed ${was} ${coin}${which}, now ${is} ${coin} (${percentChange(was, is)})`,
    )
    .join('; ');
}

/** The error for a price that got worse where nobody can be asked. */
export function fellTooFar(before: Priced, now: Priced): UsageError {
  const { tolerance, quote, request } = now;
  return new UsageError(
    `The price got worse by more than the ${tolerance} % of --tolerance while the swap was prepared: ${changeWords(before, now)}.`,
    'Nothing was sent. Run it again, or accept a larger change with --tolerance.',
    'invalid_amount',
    {
      reviewed: { deposit: before.request.amount, receive: before.quote.receive },
      now: { deposit: request.amount, receive: quote.receive },
      tolerance,
    },
  );
}

import { UsageError } from '../../errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import { isZero } from '../../swap/amount.ts';
import { coinLabel } from '../../swap/coin-ref.ts';
import { tooManyDecimals } from '../../swap/decimals.ts';
import type { Asset } from '../../swap/swap.ts';

/**
 * Refuses an amount as typed with more decimals than its coin has on the network, with the number that fits.
 */
export function checkDecimals(amount: Decimal, { coin, network }: Asset): void {
  const excess = tooManyDecimals(amount, coin, network);
  if (excess === undefined) return;
  const { places, fits } = excess;
  const name = coinLabel({ coin, network: network === coin ? null : network });
  const hint = isZero(fits)
    ? `Give a larger amount, with at most ${places} decimals.`
    : `Give ${fits} instead.`;
  throw new UsageError(
    `${name} has ${places} decimals, so ${amount} cannot be paid exactly.`,
    hint,
    'invalid_amount',
    { amount, places, fits },
  );
}

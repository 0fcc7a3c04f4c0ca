import { UsageError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import { isZero } from '../swap/amount.ts';
import { coinLabel } from '../swap/coin-ref.ts';
import { tooManyDecimals } from '../swap/decimals.ts';

/**
 * Refuses an amount with more decimals than its coin has on the network, with the number that fits. An amount that was
 * not `typed` comes from a quote, and only another one to receive can change it.
 */
export function checkDecimals(
  amount: Decimal,
  { coin, network }: { readonly coin: string; readonly network: string },
  typed: boolean,
): void {
  const excess = tooManyDecimals(amount, coin, network);
  if (excess === undefined) return;
  const { places, fits } = excess;
  const name = coinLabel({ coin, network: network === coin ? null : network });
  const hint = !typed
    ? 'Ask for another amount to receive.'
    : isZero(fits)
      ? `Give a larger amount, with at most ${places} decimals.`
      : `Give ${fits} instead.`;
  throw new UsageError(
    `${name} has ${places} decimals, so ${amount} cannot be paid exactly.`,
    hint,
    'invalid_amount',
    { amount, places, fits },
  );
}

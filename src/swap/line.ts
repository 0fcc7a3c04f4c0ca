import type { Decimal } from './amount.ts';
import { fromSmallestUnit, significantPlaces, toSmallestUnit } from './amount.ts';

/** What is received for an amount. */
export interface PricePoint {
  readonly amount: Decimal;
  readonly receive: Decimal;
}

/**
 * What is received for an amount on the straight line through two points of different amounts: exact, then rounded down
 * to as many decimals as the points have, or to `places` where that is more. A fee that stands beside the rate is in it.
 */
export function onLine([a, b]: readonly [PricePoint, PricePoint], amount: Decimal, places: number): Decimal {
  const sent = Math.max(...[a.amount, b.amount, amount].map(significantPlaces));
  const received = Math.max(places, significantPlaces(a.receive), significantPlaces(b.receive));
  const x = (value: Decimal) => toSmallestUnit(value, sent);
  const y = (value: Decimal) => toSmallestUnit(value, received);
  const [low, high] = x(a.amount) < x(b.amount) ? [a, b] : [b, a];
  const run = x(high.amount) - x(low.amount);
  const total = y(low.receive) * run + (x(amount) - x(low.amount)) * (y(high.receive) - y(low.receive));
  return fromSmallestUnit(floored(total, run), received);
}

/** Quotient rounded down, also below zero; `divisor` is greater than zero. */
function floored(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

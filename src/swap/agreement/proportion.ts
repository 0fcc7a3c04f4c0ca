import type { Decimal } from '../amount.ts';
import { compareProducts } from '../amount.ts';

/** Whether one of two products is more than so many times the other. */
export function isFarApart(a: readonly Decimal[], b: readonly Decimal[], factor: Decimal): boolean {
  return compareProducts([...a, factor], b) < 0 || compareProducts([...b, factor], a) < 0;
}

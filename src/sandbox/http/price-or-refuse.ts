import { MESSAGES } from '../../partner-api/messages.ts';
import type { RateType } from '../../swap/swap.ts';
import type { Pair, Pairs, PriceMoment, PriceQuery } from '../prices/pairs.ts';
import type { Price } from '../prices/price.ts';
import { ApiError, ValidationError } from './api-error.ts';
import { numberRule } from './validate.ts';

/** A price that a request asks for. */
export interface RequestedPrice extends PriceQuery {
  /** Parameter of the request that has the amount. */
  readonly field: string;
}

/** Price of a pair at a moment. Throws the ApiError or ValidationError that the service answers where there is none. */
export function priceOrRefuse(
  pairs: Pick<Pairs, 'price'>,
  pair: Pair,
  { amount, lastSource, type, field }: RequestedPrice,
  moment: PriceMoment,
): Price {
  const verdict = pairs.price(pair, { amount, lastSource, type }, moment);
  if (verdict.ok) return verdict.price;
  if (verdict.problem === 'below-minimum') throw new ApiError(400, MESSAGES.BELOW_MINIMUM);
  if (verdict.problem === 'above-maximum') throw new ApiError(400, MESSAGES.ABOVE_MAXIMUM);
  throw new ValidationError([numberRule(field)]);
}

/** Rate type of a `typeSwap` that was found valid. */
export function rateType(typeSwap: string | undefined): RateType {
  return typeSwap !== undefined && /^1(?:\.0+)?$/.test(typeSwap) ? 'fixed' : 'float';
}

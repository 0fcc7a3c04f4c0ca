import type { RateType } from '../../core/swap/swap.ts';
import type { ValidationTexts } from '../habits/choices.ts';
import type { Pair, Pairs, PriceMoment, PriceQuery } from '../prices/pairs.ts';
import type { Price } from '../prices/price.ts';
import { VALIDATION_TEXTS } from '../state/assumptions.ts';
import { ApiError, ValidationError } from './api-error.ts';

export interface RequestedPrice extends PriceQuery {
  /** Parameter of the request that has the amount. */
  readonly field: string;
}

/** The refusal if there is no price. */
export interface RefusalTexts {
  readonly belowMinimum: string;
  readonly aboveMaximum: string;
  readonly validationTexts: ValidationTexts;
}

/** Price of a pair at a moment. Throws the service's ApiError or ValidationError if there is none. */
export function priceOrRefuse(
  pairs: Pick<Pairs, 'price'>,
  pair: Pair,
  { amount, lastSource, type, field }: RequestedPrice,
  moment: PriceMoment,
  { belowMinimum, aboveMaximum, validationTexts }: RefusalTexts,
): Price {
  const verdict = pairs.price(pair, { amount, lastSource, type }, moment);
  if (verdict.ok) return verdict.price;
  if (verdict.problem === 'below-minimum') throw new ApiError(400, belowMinimum);
  if (verdict.problem === 'above-maximum') throw new ApiError(400, aboveMaximum);
  throw new ValidationError([numberRule(field, validationTexts)]);
}

/** Rate type of a `typeSwap` that was found valid. */
export function rateType(typeSwap: string | undefined): RateType {
  return typeSwap !== undefined && /^1(?:\.0+)?$/.test(typeSwap) ? 'fixed' : 'float';
}

/** Text for a value that is not a number, or has too many decimals. */
export function numberRule(name: string, { number }: ValidationTexts = VALIDATION_TEXTS): string {
  return number.replaceAll('{field}', name);
}

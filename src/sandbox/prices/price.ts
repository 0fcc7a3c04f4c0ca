import { type Decimal, fromSmallestUnit, significantPlaces, toSmallestUnit } from '../../core/swap/amount.ts';
import type { Quote, RateType, Side } from '../../core/swap/swap.ts';
import {
  divideUp,
  type PairTerms,
  type PriceBounds,
  type PricePair,
  pairTerms,
  power,
} from './pair-terms.ts';
import { priceFactor } from './price-walk.ts';

/** What to price: an amount at a time in milliseconds since 1970; `seed` is that of the sandbox's prices. */
export interface PriceRequest extends PricePair {
  /** Amount to send (`deposit`) or to receive (`receive`), as `lastSource` says. */
  readonly amount: Decimal;
  readonly lastSource: Side;
  readonly type: RateType;
  readonly at: number;
  readonly seed: number;
}

/** A price: the amounts of both sides, and the rate between them before the network fee. */
export type Price = PriceBounds & Pick<Quote, 'amount' | 'receive' | 'rate'>;

/** The price, or the reason why there is none; `too-many-decimals`: the amount has more decimals than its asset. */
export type PriceResult =
  | { readonly ok: true; readonly price: Price }
  | {
      readonly ok: false;
      readonly problem: 'below-minimum' | 'above-maximum' | 'too-many-decimals';
      readonly price: PriceBounds;
    };

/** Receive per unit of deposit: `units / 10^places`. */
type Rate = ReturnType<typeof swapRate>;

const MILLION = 1_000_000n;
const RATE_DIGITS = 18;

/**
 * Prices a pair. `receive` is `amount × rate − payout fee`, rounded down to the pair's step. Priced by `receive`, the
 * amount is the smallest one whose `receive` reaches the requested one. Both directions describe one set of (amount,
 * receive) pairs, so a quote requested again by either of its amounts gives the same `receive` to the last decimal.
 *
 * The step makes that possible: 1 satoshi buys about 0.0000003 ETH, so most amounts of ETH cannot be hit with whole
 * satoshis, but every one with six decimals can. A requested amount between two steps is rounded up, so that no one
 * receives less than requested. Pass `terms` to save the work that is the same for every price of the pair.
 */
export function priceSwap(request: PriceRequest, terms: PairTerms = pairTerms(request)): PriceResult {
  const { from, to, amount, lastSource } = request;
  const asked = lastSource === 'deposit' ? from : to;
  const refuse = (problem: (PriceResult & { ok: false })['problem']): PriceResult => ({
    ok: false,
    problem,
    price: terms.bounds,
  });
  if (significantPlaces(amount) > asked.decimals) return refuse('too-many-decimals');
  const rate = swapRate(request, terms);
  const units = toSmallestUnit(amount, asked.decimals);
  const sent = lastSource === 'deposit' ? units : unitsToSend(units, request, rate, terms);
  if (sent < terms.min) return refuse('below-minimum');
  if (terms.max !== null && sent > terms.max) return refuse('above-maximum');
  const price = {
    amount: fromSmallestUnit(sent, from.decimals),
    receive: fromSmallestUnit(unitsReceived(sent, request, rate, terms), to.decimals),
    rate: fromSmallestUnit(rate.units, rate.places),
    ...terms.bounds,
  };
  return { ok: true, price };
}

/** Receive per unit of deposit, the service's fee included: about 18 significant digits, rounded down. */
function swapRate(request: PriceRequest, terms: PairTerms) {
  const { from, to, fromUsd, toUsd, type, at, seed } = request;
  const above = terms.numerator * priceFactor(from.coin, fromUsd, seed, at) * (MILLION - terms.kept[type]);
  const below = terms.denominator * priceFactor(to.coin, toUsd, seed, at) * MILLION;
  const places = Math.max(0, RATE_DIGITS + String(below).length - String(above).length);
  return { units: (above * power(places)) / below, places };
}

/** Units of the receive asset for units of the deposit asset, rounded down to the step. */
function unitsReceived(sent: bigint, { from, to }: PricePair, rate: Rate, { fee, step }: PairTerms): bigint {
  const denominator = power(from.decimals + rate.places);
  const net = sent * rate.units * power(to.decimals) - fee * denominator;
  return net <= 0n ? 0n : (net / (denominator * step)) * step;
}

/** Smallest number of deposit units that reaches the requested receive units; the minimum, where that does as well. */
function unitsToSend(asked: bigint, pair: PricePair, rate: Rate, terms: PairTerms): bigint {
  const { step, fee, min } = terms;
  const target = divideUp(asked, step) * step;
  const denominator = power(pair.from.decimals + rate.places);
  const smallest = divideUp((target + fee) * denominator, rate.units * power(pair.to.decimals));
  // Several amounts can give one result. Where the smallest of them is below the minimum, but the minimum gives the
  // same result, the minimum is returned: a quote for the minimum can be requested again by its result.
  return smallest < min && unitsReceived(min, pair, rate, terms) === target ? min : smallest;
}

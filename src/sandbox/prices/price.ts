import type { Decimal } from '../../swap/amount.ts';
import { fromSmallestUnit, significantPlaces, toSmallestUnit } from '../../swap/amount.ts';
import type { RateType, Side } from '../../swap/swap.ts';
import type { PairTerms, PriceBounds, PricePair } from './pair-terms.ts';
import { divideUp, pairTerms, power } from './pair-terms.ts';
import { priceFactor } from './price-walk.ts';

/** What a price depends on, and nothing else. */
export interface PriceRequest extends PricePair {
  /** What is sent (`deposit`) or what should be received (`receive`). */
  readonly amount: Decimal;
  readonly lastSource: Side;
  readonly type: RateType;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly seed: number;
}

/** A price: what to send, what is received, and the rate between them before the network fee. */
export interface Price extends PriceBounds {
  readonly amount: Decimal;
  readonly receive: Decimal;
  readonly rate: Decimal;
}

/** The price, or why there is none; `too-many-decimals` is an amount with digits that its asset cannot hold. */
export type PriceVerdict =
  | { readonly ok: true; readonly price: Price }
  | {
      readonly ok: false;
      readonly problem: 'below-minimum' | 'above-maximum' | 'too-many-decimals';
      readonly price: PriceBounds;
    };

/** Receive per unit of deposit: `units / 10^places`. */
interface Rate {
  readonly units: bigint;
  readonly places: number;
}

const FEE_PER_MILLE: Readonly<Record<RateType, bigint>> = { float: 5n, fixed: 10n };
const RATE_DIGITS = 18;

/**
 * Prices a pair. `receive` is `amount × rate − payout fee`, cut down to the pair's step; asked the other way, it is
 * the least amount whose `receive` reaches what was asked. The two ways describe one set of (amount, receive)
 * pairs, so a quote asked again by either of its amounts gives the same `receive` to the last decimal.
 *
 * The step makes that possible: 1 satoshi buys about 0.0000003 ETH, so most amounts of ETH cannot be hit with whole
 * satoshis, but every one with six decimals can. An asked amount between two steps is rounded up, so that nobody
 * receives less than was asked. `terms` spares the work that is the same for every price of the pair.
 */
export function priceSwap(request: PriceRequest, terms: PairTerms = pairTerms(request)): PriceVerdict {
  const { from, to, amount, lastSource } = request;
  const asked = lastSource === 'deposit' ? from : to;
  const refuse = (problem: (PriceVerdict & { ok: false })['problem']): PriceVerdict => ({
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

/** Receive per unit of deposit with the service's fee inside: about 18 significant digits, cut down. */
function swapRate(request: PriceRequest, terms: PairTerms): Rate {
  const { from, to, fromUsd, toUsd, type, at, seed } = request;
  const above = terms.numerator * priceFactor(from.coin, fromUsd, seed, at) * (1000n - FEE_PER_MILLE[type]);
  const below = terms.denominator * priceFactor(to.coin, toUsd, seed, at) * 1000n;
  const places = Math.max(0, RATE_DIGITS + String(below).length - String(above).length);
  return { units: (above * power(places)) / below, places };
}

/** Units of the receive asset for units of the deposit asset, cut down to the step. */
function unitsReceived(sent: bigint, { from, to }: PricePair, rate: Rate, { fee, step }: PairTerms): bigint {
  const denominator = power(from.decimals + rate.places);
  const net = sent * rate.units * power(to.decimals) - fee * denominator;
  return net <= 0n ? 0n : (net / (denominator * step)) * step;
}

/** The least units of the deposit asset, not below the minimum if that does as well, that reach what was asked. */
function unitsToSend(asked: bigint, pair: PricePair, rate: Rate, terms: PairTerms): bigint {
  const { step, fee, min } = terms;
  const target = divideUp(asked, step) * step;
  const denominator = power(pair.from.decimals + rate.places);
  const least = divideUp((target + fee) * denominator, rate.units * power(pair.to.decimals));
  // Several amounts can give one result; what was quoted for the minimum must not be refused on the way back.
  return least < min && unitsReceived(min, pair, rate, terms) === target ? min : least;
}

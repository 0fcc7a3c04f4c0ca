import { type Decimal, fromSmallestUnit, significantPlaces, toSmallestUnit } from '../../core/swap/amount.ts';
import type { RateType } from '../../core/swap/swap.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import { FEES } from '../state/assumptions.ts';

/** A pair of assets with the anchor prices of their coins in US dollars. */
export interface PricePair {
  readonly from: SandboxAsset;
  readonly to: SandboxAsset;
  readonly fromUsd: Decimal;
  readonly toUsd: Decimal;
}

/** Bounds of the amount to send; they depend on the pair alone, not on time, seed, type or side. */
export interface PriceBounds {
  readonly min: Decimal;
  readonly max: Decimal;
}

/** Terms that all prices of a pair share; keep them to price a pair often. */
export interface PairTerms {
  readonly bounds: PriceBounds;
  /** The bounds in smallest units of the deposit. */
  readonly min: bigint;
  /** Null if no amount is too large. */
  readonly max: bigint | null;
  /** Smallest difference between two receive amounts, in smallest units of the receive asset. */
  readonly step: bigint;
  /** Payout network fee in smallest units of the receive asset. */
  readonly fee: bigint;
  /** Receive per deposit at the anchor prices, as a fraction. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** Share of the rate that the service keeps, in millionths. */
  readonly kept: Readonly<Record<RateType, bigint>>;
}

/** Maximum decimals of a share in percent: with four, it is a whole number of millionths. */
export const MAX_FEE_PLACES = 4;
const MIN_USD = 10n;
const MAX_USD = 250_000n;
// Room for the movement of both prices, so that a pair's step is the same at every time.
const PRICE_MOVEMENT_FACTOR_PERCENT = 105n;
// Computing a power of ten costs more than the rest of a price, so the usual ones are precomputed.
const POWERS = Array.from({ length: 80 }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Computes the terms of a pair. The step is the finest power of ten worth at least one smallest unit of the deposit.
 * The bounds are about 10 and 250,000 dollars of the deposit, in two digits; the lower one is raised where fee and step
 * would take more than a third of it.
 */
export function pairTerms({ from, to, fromUsd, toUsd }: PricePair): PairTerms & { readonly max: bigint } {
  const fromPlaces = significantPlaces(fromUsd);
  const toPlaces = significantPlaces(toUsd);
  const fromPrice = toSmallestUnit(fromUsd, fromPlaces);
  const numerator = fromPrice * power(toPlaces);
  const denominator = toSmallestUnit(toUsd, toPlaces) * power(fromPlaces);
  const fee = toSmallestUnit(to.payoutFee, to.decimals);
  const step = receiveStep(numerator * power(to.decimals), denominator * power(from.decimals));
  const dollar = power(from.decimals + fromPlaces);
  const lost = divideUp(
    3n * (fee + step) * denominator * power(from.decimals),
    numerator * power(to.decimals),
  );
  const min = twoDigits(larger(divideUp(MIN_USD * dollar, fromPrice), lost), 'up');
  const max = larger(min, twoDigits((MAX_USD * dollar) / fromPrice, 'down'));
  const bounds = { min: fromSmallestUnit(min, from.decimals), max: fromSmallestUnit(max, from.decimals) };
  return { bounds, min, max, step, fee, numerator, denominator, kept: USUAL_FEES };
}

/** The service's share under each rate type, given in percent, in millionths of the rate. */
export function keptOf(fees: Readonly<Record<RateType, Decimal>>): PairTerms['kept'] {
  return {
    fixed: toSmallestUnit(fees.fixed, MAX_FEE_PLACES),
    float: toSmallestUnit(fees.float, MAX_FEE_PLACES),
  };
}

const USUAL_FEES = keptOf(FEES);

/** The step for a fraction of receive units per deposit unit. */
function receiveStep(numerator: bigint, denominator: bigint): bigint {
  const bought = divideUp(numerator * PRICE_MOVEMENT_FACTOR_PERCENT, denominator * 100n);
  return power(bought <= 1n ? 0 : String(bought - 1n).length);
}

function twoDigits(units: bigint, direction: 'up' | 'down'): bigint {
  const rest = power(Math.max(0, String(units).length - 2));
  return (direction === 'up' ? divideUp(units, rest) : units / rest) * rest;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Quotient of two positive whole numbers, rounded up. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Ten to the power of a whole number that is not negative. */
export function power(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

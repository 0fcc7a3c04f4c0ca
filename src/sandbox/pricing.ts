import type { LastSource } from '../partner-api/types.ts';
import type { Decimal } from '../swap/amount.ts';
import { fromSmallestUnit, significantPlaces, toSmallestUnit } from '../swap/amount.ts';
import type { RateType } from '../swap/swap.ts';
import type { SandboxAsset } from './catalogue.ts';
import { priceFactor } from './price-movement.ts';

/** What a price depends on, and nothing else. */
export interface PriceRequest {
  readonly from: SandboxAsset;
  readonly to: SandboxAsset;
  /** Anchor prices in US dollars. */
  readonly fromUsd: Decimal;
  readonly toUsd: Decimal;
  /** What is sent (`deposit`) or what should be received (`receive`). */
  readonly amount: Decimal;
  readonly lastSource: LastSource;
  readonly type: RateType;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly seed: number;
}

/** Bounds of the amount to send; they depend on the pair alone, not on time, seed, type or side. */
export interface PriceBounds {
  readonly min: Decimal;
  readonly max: Decimal;
}

/** A price: what to send, what is received, and the rate between them before the network fee. */
export interface Price extends PriceBounds {
  readonly amount: Decimal;
  readonly receive: Decimal;
  readonly rate: Decimal;
}

/** The price, or why there is none; `too-many-decimals` is an amount with digits the asset cannot hold. */
export type PriceVerdict =
  | { readonly ok: true; readonly price: Price }
  | {
      readonly ok: false;
      readonly problem: 'below-minimum' | 'above-maximum' | 'too-many-decimals';
      readonly price: PriceBounds;
    };

/** A decimal number as `units / 10^places`. */
interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

interface UnitBounds {
  readonly min: bigint;
  readonly max: bigint;
}

const FEE_PER_MILLE: Readonly<Record<RateType, bigint>> = { float: 5n, fixed: 10n };
const MIN_USD = 10n;
const MAX_USD = 250_000n;
const RATE_DIGITS = 18;
// Room for the movement of both prices, so that a pair's step is the same at every time.
const MOVEMENT_ROOM_PERCENT = 105n;

/**
 * Prices a pair. `receive` is `amount × rate − payout fee`, cut down to the pair's step; asked the other way, it is
 * the least amount whose `receive` reaches what was asked. The two ways describe one set of (amount, receive)
 * pairs, so a quote asked again by either of its amounts gives the same two to the last decimal.
 *
 * The step is the finest power of ten that is worth at least one smallest unit of the deposit (1 satoshi is about
 * 0.0000003 ETH, so BTC to ETH has six decimals). Without it most receive amounts could not be hit exactly.
 * An asked amount between two steps is rounded up, so nobody receives less than was asked.
 */
export function priceSwap(request: PriceRequest): PriceVerdict {
  const { from, to, amount, lastSource } = request;
  const step = receiveStep(request);
  const bounds = depositBounds(request, step);
  const price = {
    min: fromSmallestUnit(bounds.min, from.decimals),
    max: fromSmallestUnit(bounds.max, from.decimals),
  };
  const asked = lastSource === 'deposit' ? from : to;
  if (significantPlaces(amount) > asked.decimals) return { ok: false, problem: 'too-many-decimals', price };
  const rate = swapRate(request);
  const units = toSmallestUnit(amount, asked.decimals);
  const sent = lastSource === 'deposit' ? units : unitsToSend(units, request, rate, step);
  if (sent < bounds.min) return { ok: false, problem: 'below-minimum', price };
  if (sent > bounds.max) return { ok: false, problem: 'above-maximum', price };
  return {
    ok: true,
    price: {
      ...price,
      amount: fromSmallestUnit(sent, from.decimals),
      receive: fromSmallestUnit(unitsReceived(sent, request, rate, step), to.decimals),
      rate: fromSmallestUnit(rate.units, rate.places),
    },
  };
}

/** Units of the receive asset for units of the deposit asset, cut down to the step. */
function unitsReceived(sent: bigint, { from, to }: PriceRequest, rate: Scaled, step: bigint): bigint {
  // Everything over the same denominator 10^(deposit decimals + rate places), as whole receive units times it.
  const denominator = power(from.decimals + rate.places);
  const gross = sent * rate.units * power(to.decimals);
  const net = gross - toSmallestUnit(to.payoutFee, to.decimals) * denominator;
  return net <= 0n ? 0n : (net / (denominator * step)) * step;
}

/** The least units of the deposit asset for which {@link unitsReceived} is at least what was asked. */
function unitsToSend(asked: bigint, { from, to }: PriceRequest, rate: Scaled, step: bigint): bigint {
  const denominator = power(from.decimals + rate.places);
  const target = divideUp(asked, step) * step + toSmallestUnit(to.payoutFee, to.decimals);
  return divideUp(target * denominator, rate.units * power(to.decimals));
}

/** Receive per unit of deposit with the service's fee inside: at most 18 significant digits, cut down. */
function swapRate({ from, to, fromUsd, toUsd, type, at, seed }: PriceRequest): Scaled {
  const [numerator, denominator] = anchorRate(fromUsd, toUsd);
  const above = numerator * priceFactor(from.coin, fromUsd, seed, at) * (1000n - FEE_PER_MILLE[type]);
  const below = denominator * priceFactor(to.coin, toUsd, seed, at) * 1000n;
  const places = Math.max(0, RATE_DIGITS + String(below).length - String(above).length);
  return { units: (above * power(places)) / below, places };
}

/** Smallest difference between two receive amounts of a pair, in units of the receive asset. */
function receiveStep({ from, to, fromUsd, toUsd }: PriceRequest): bigint {
  const [numerator, denominator] = anchorRate(fromUsd, toUsd);
  // What one unit of the deposit buys, in units of the receive asset, rounded up.
  const bought = divideUp(
    numerator * MOVEMENT_ROOM_PERCENT * power(to.decimals),
    denominator * 100n * power(from.decimals),
  );
  return power(bought <= 1n ? 0 : String(bought - 1n).length);
}

/** About 10 and 250,000 dollars of the deposit, in two digits; the least is raised where fee or step would eat it. */
function depositBounds({ from, to, fromUsd, toUsd }: PriceRequest, step: bigint): UnitBounds {
  const inDeposit = (usd: Scaled): bigint => {
    const price = decimal(fromUsd);
    return divideUp(usd.units * power(from.decimals + price.places), price.units * power(usd.places));
  };
  const toPrice = decimal(toUsd);
  const lost = toSmallestUnit(to.payoutFee, to.decimals) + step;
  const lostUsd = { units: 3n * lost * toPrice.units, places: to.decimals + toPrice.places };
  const least = larger(inDeposit({ units: MIN_USD, places: 0 }), inDeposit(lostUsd));
  const min = twoDigits(least, 'up');
  return { min, max: larger(min, twoDigits(inDeposit({ units: MAX_USD, places: 0 }), 'down')) };
}

/** Receive per deposit at the anchor prices, as numerator and denominator. */
function anchorRate(fromUsd: Decimal, toUsd: Decimal): readonly [bigint, bigint] {
  const from = decimal(fromUsd);
  const to = decimal(toUsd);
  return [from.units * power(to.places), to.units * power(from.places)];
}

function twoDigits(units: bigint, direction: 'up' | 'down'): bigint {
  const rest = power(Math.max(0, String(units).length - 2));
  return (direction === 'up' ? divideUp(units, rest) : units / rest) * rest;
}

function decimal(text: Decimal): Scaled {
  const places = significantPlaces(text);
  return { units: toSmallestUnit(text, places), places };
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

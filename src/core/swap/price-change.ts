import type { Decimal } from './amount.ts';
import {
  compareDecimals,
  compareProducts,
  differenceOf,
  productOf,
  significantPlaces,
  toSmallestUnit,
} from './amount.ts';

/** Default percentage by which an amount may fall before a person is asked again; zero under a fixed rate. */
export const DEFAULT_TOLERANCE = { float: '1', fixed: '0' } as const;

/** Whether an amount has fallen by more than this percentage; exact. */
export function fellBeyond(before: Decimal, now: Decimal, percent: Decimal): boolean {
  return compareDecimals(now, before) < 0 && isBeyond(before, now, percent);
}

/** Whether an amount has risen by more than this percentage; exact. */
export function roseBeyond(before: Decimal, now: Decimal, percent: Decimal): boolean {
  return compareDecimals(now, before) > 0 && isBeyond(before, now, percent);
}

/** The least amount that has not fallen beyond this percentage; exact. */
export function leastWithin(before: Decimal, percent: Decimal): Decimal {
  if (compareDecimals(percent, '100') >= 0) return '0';
  return productOf([before, differenceOf('100', percent), '0.01']);
}

function isBeyond(before: Decimal, now: Decimal, percent: Decimal): boolean {
  return compareProducts([differenceOf(before, now), '100'], [before, percent]) > 0;
}

/** {@link changePercent} in words, as `−1.2 %` or `+0.03 %`. */
export function percentChange(before: Decimal, now: Decimal): string {
  return percentWords(changePercent(before, now));
}

/** A change in percent in words: `-1.2` is `−1.2 %`. */
export function percentWords(percent: Decimal): string {
  if (percent === '0') return '0 %';
  return percent.startsWith('-') ? `−${percent.slice(1)} %` : `+${percent} %`;
}

/** The change from one amount, above zero, to another in percent: a decimal, or as many as show its first digit. */
export function changePercent(before: Decimal, now: Decimal): Decimal {
  const sign = compareDecimals(now, before);
  if (sign === 0) return '0';
  const scale = Math.max(significantPlaces(before), significantPlaces(now));
  const was = toSmallestUnit(before, scale);
  const difference = toSmallestUnit(differenceOf(before, now), scale);
  for (let places = 1; ; places += 1) {
    const rounded = (difference * 200n * 10n ** BigInt(places) + was) / (2n * was);
    if (rounded > 0n) return `${sign < 0 ? '-' : ''}${decimalText(rounded, places)}`;
  }
}

/** Formats tenths, `50.0` for 500; trailing zeros stay. */
function decimalText(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

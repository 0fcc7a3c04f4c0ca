import type { Decimal } from './amount.ts';
import { compareDecimals, fromSmallestUnit } from './amount.ts';

/** Default percentage by which an amount may fall before a person is asked again; zero under a fixed rate. */
export const DEFAULT_TOLERANCE = { float: '1', fixed: '0' } as const;

/** Whether an amount has fallen by more than this percentage; exact. */
export function fellBeyond(before: Decimal, now: Decimal, percent: Decimal): boolean {
  const [was, is] = aligned(before, now);
  const { units, places } = whole(percent);
  return (was - is) * 100n * 10n ** BigInt(places) > was * units;
}

/** Whether an amount has risen by more than this percentage; exact. */
export function roseBeyond(before: Decimal, now: Decimal, percent: Decimal): boolean {
  const [was, is] = aligned(before, now);
  const { units, places } = whole(percent);
  return (is - was) * 100n * 10n ** BigInt(places) > was * units;
}

/**
 * The change from one amount to another as `−1.2 %` or `+0.03 %`: one decimal, or as many as show the first digit of
 * a smaller change. `before` is greater than zero.
 */
export function percentChange(before: Decimal, now: Decimal): string {
  const sign = compareDecimals(now, before);
  if (sign === 0) return '0 %';
  const [was, is] = aligned(before, now);
  const difference = is > was ? is - was : was - is;
  const mark = sign < 0 ? '−' : '+';
  for (let places = 1; ; places += 1) {
    const rounded = (difference * 200n * 10n ** BigInt(places) + was) / (2n * was);
    if (rounded > 0n) return `${mark}${padded(rounded, places)} %`;
  }
}

/** Formats tenths, `50.0` for 500; trailing zeros stay. */
function padded(units: bigint, places: number): string {
  const text = fromSmallestUnit(units, places);
  const [, fraction = ''] = text.split('.');
  return `${text}${fraction === '' ? '.' : ''}${'0'.repeat(places - fraction.length)}`;
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const [first, second] = [whole(a), whole(b)];
  const places = Math.max(first.places, second.places);
  const scaled = ({ units, places: own }: Whole) => units * 10n ** BigInt(places - own);
  return [scaled(first), scaled(second)];
}

interface Whole {
  readonly units: bigint;
  readonly places: number;
}

function whole(amount: Decimal): Whole {
  const [integer = '0', fraction = ''] = amount.split('.');
  return { units: BigInt(integer + fraction), places: fraction.length };
}

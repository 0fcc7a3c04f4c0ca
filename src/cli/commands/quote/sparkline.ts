import { type Decimal, toSmallestUnit } from '../../../core/swap/amount.ts';

const BARS = '▁▂▃▄▅▆▇█';
const LEVEL = 3;
const PLACES = 40;

/** Numbers as bars between the smallest and the largest, a character each; equal ones are equally high. */
export function sparkline(numbers: readonly Decimal[]): string {
  const units = numbers.map((number) => toSmallestUnit(cut(number), PLACES));
  const least = units.reduce((a, b) => (b < a ? b : a), units[0] ?? 0n);
  const span = units.reduce((a, b) => (b > a ? b : a), least) - least;
  const top = BigInt(BARS.length - 1);
  // Halves are rounded up, so that the bars are spread evenly.
  const height = (unit: bigint) => Number((2n * (unit - least) * top + span) / (2n * span));
  return units.map((unit) => BARS.charAt(span === 0n ? LEVEL : height(unit))).join('');
}

/** A number cut to the digits that the scale has. */
function cut(number: Decimal): Decimal {
  const [whole = '0', fraction = ''] = number.split('.');
  return fraction === '' ? whole : `${whole}.${fraction.slice(0, PLACES)}`;
}

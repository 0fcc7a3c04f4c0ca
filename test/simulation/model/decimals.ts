/** A decimal number as a whole number of its last place. The model shares no arithmetic with the product. */
interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

function scaled(text: string): Scaled {
  const [whole = '0', part = ''] = text.split('.');
  return { units: BigInt(`${whole}${part}`), places: part.length };
}

function atPlaces({ units, places }: Scaled, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - places);
}

/** Whether two decimal texts are the same number. */
export function sameNumber(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && signOfDifference(a, b) === 0;
}

/** 1, 0 or -1: whether the first decimal is larger than the second, equal or smaller. */
export function signOfDifference(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [scaled(a), scaled(b)];
  const places = Math.max(left.places, right.places);
  const [first, second] = [atPlaces(left, places), atPlaces(right, places)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The sum of two decimal texts. */
export function sumOf(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)];
  const places = Math.max(left.places, right.places);
  const digits = String(atPlaces(left, places) + atPlaces(right, places)).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A decimal text and a hundredth of it. */
export function hundredthMore(text: string): string {
  const { units, places } = scaled(text);
  const digits = String(units * 101n).padStart(places + 3, '0');
  return `${digits.slice(0, -places - 2)}.${digits.slice(-places - 2)}`;
}

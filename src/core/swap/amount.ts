/** A plain decimal: digits, at most one dot between digits, an optional minus; never an exponent. */
export type Decimal = string;

/** Maximum length of a typed amount: more digits than any chain has, too few to be harmful. */
const MAX_AMOUNT_LENGTH = 80;

const PLAIN = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?0*[0-9]{1,6}))?$/;
const MAX_EXPANDED_LENGTH = 1000;

/** The verdict on an amount that a person typed. */
export type AmountVerdict =
  | { readonly ok: true; readonly amount: Decimal }
  | { readonly ok: false; readonly reason: string };

/** Checks an amount as typed, and keeps its digits. It says what is wrong: a guess at a comma costs a factor of 1000. */
export function checkAmount(text: string): AmountVerdict {
  const reason = whyNotAnAmount(text);
  return reason === undefined ? { ok: true, amount: text } : { ok: false, reason };
}

function whyNotAnAmount(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > MAX_AMOUNT_LENGTH) return `it is longer than ${MAX_AMOUNT_LENGTH} characters`;
  if (/\s/.test(text)) return 'it contains a space';
  if (text.startsWith('-')) return 'it must be greater than zero';
  if (text.startsWith('+')) return 'it must not start with a plus sign';
  if (text.includes(',')) return 'it contains a comma; use a decimal point and no thousands separators';
  if (/^0[xob]/i.test(text)) return 'it must be a decimal number';
  if (/^[0-9.]+e[+-]?[0-9]+$/i.test(text)) return 'it must not have an exponent';
  if (text.startsWith('.')) return `it starts with a dot; write 0${text}`.slice(0, 80);
  if (text.endsWith('.')) return 'it ends with a dot';
  if (/^0[0-9]/.test(text)) return 'it has a leading zero';
  if (!PLAIN.test(text)) return 'it is not a plain decimal number such as 0.1';
  return isZero(text) ? 'it must be greater than zero' : undefined;
}

/** A JSON number as plain decimal with all its digits; undefined for another text, and for over 1,000 characters. */
export function plainDecimal(text: string): Decimal | undefined {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent] = match;
  if (exponent === undefined) return text.length > MAX_EXPANDED_LENGTH ? undefined : text;
  const point = whole.length + Number.parseInt(exponent, 10);
  const digits = whole + fraction;
  if (Math.abs(point) + digits.length > MAX_EXPANDED_LENGTH) return undefined;
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const right = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const trimmed = left.replace(/^0+(?=[0-9])/, '');
  return `${sign}${trimmed}${right === '' ? '' : `.${right}`}`;
}

/** Compares two decimals by value: negative, zero or positive as `a` is less, equal or greater. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(decimalPlaces(a), decimalPlaces(b));
  const difference = scaled(a, places) - scaled(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Compares two products of decimals by value, exactly: negative, zero or positive as {@link compareDecimals}. */
export function compareProducts(a: readonly Decimal[], b: readonly Decimal[]): number {
  return compareDecimals(productOf(a), productOf(b));
}

export function productOf(factors: readonly Decimal[]): Decimal {
  const places = factors.reduce((sum, factor) => sum + decimalPlaces(factor), 0);
  const units = factors.reduce((units, factor) => units * scaled(factor, decimalPlaces(factor)), 1n);
  return fromSmallestUnit(units, places);
}

/** Distance of two decimals, never negative. */
export function differenceOf(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(decimalPlaces(a), decimalPlaces(b));
  const difference = scaled(a, places) - scaled(b, places);
  return fromSmallestUnit(difference < 0n ? -difference : difference, places);
}

/** Whether two decimals have the same value, however many trailing zeros they carry. */
export function sameAmount(a: Decimal, b: Decimal): boolean {
  return compareDecimals(a, b) === 0;
}

export function isZero(amount: Decimal): boolean {
  return /^-?[0.]+$/.test(amount);
}

export function isPositive(amount: Decimal): boolean {
  return !amount.startsWith('-') && !isZero(amount);
}

/** Number of significant decimals: `1.500` has one. */
export function significantPlaces(amount: Decimal): number {
  return decimalPlaces(amount.replace(/0+$/, ''));
}

/** A whole number of the smallest unit: `0.5` with 8 places is 50000000. Throws RangeError if digits would be lost. */
export function toSmallestUnit(amount: Decimal, places: number): bigint {
  if (significantPlaces(amount) > places) throw new RangeError('The amount has more decimals than the unit.');
  return scaled(amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount, places);
}

/** Converts a whole number of the smallest unit to a decimal without trailing zeros. */
export function fromSmallestUnit(units: bigint, places: number): Decimal {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Shortens a bound for display, a minimum `up` and a maximum `down`: what is shown is accepted. Never for pipes. */
export function shortenBound(amount: Decimal, places: number, direction: 'up' | 'down'): Decimal {
  if (significantPlaces(amount) <= places) return amount;
  const [whole = '0', fraction = ''] = amount.split('.');
  const cut = BigInt(whole + fraction.slice(0, places));
  return fromSmallestUnit(direction === 'up' ? cut + 1n : cut, places);
}

function decimalPlaces(amount: Decimal): number {
  const dot = amount.indexOf('.');
  return dot < 0 ? 0 : amount.length - dot - 1;
}

function scaled(amount: Decimal, places: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

/** A sum of decimals that loses no digit, however long they are. */
export class ExactSum {
  #units = 0n;
  #places = 0;

  add(amount: Decimal): void {
    const dot = amount.indexOf('.');
    if (dot < 0) this.#add(BigInt(amount), 0);
    else this.#add(BigInt(amount.slice(0, dot) + amount.slice(dot + 1)), amount.length - dot - 1);
  }

  addSum(other: ExactSum): void {
    this.#add(other.#units, other.#places);
  }

  /** The sum without trailing zeros. */
  get amount(): Decimal {
    return fromSmallestUnit(this.#units, this.#places);
  }

  #add(units: bigint, places: number): void {
    if (places > this.#places) {
      this.#units *= 10n ** BigInt(places - this.#places);
      this.#places = places;
    }
    this.#units += places < this.#places ? units * 10n ** BigInt(this.#places - places) : units;
  }
}

export interface PricePoint {
  readonly amount: Decimal;
  readonly receive: Decimal;
}

/** What an amount gets on the line through two other amounts, rounded down to their decimals, or `places` if more. */
export function interpolate([a, b]: readonly [PricePoint, PricePoint], amount: Decimal, places: number) {
  const sentPlaces = Math.max(...[a.amount, b.amount, amount].map(significantPlaces));
  const receivedPlaces = Math.max(places, significantPlaces(a.receive), significantPlaces(b.receive));
  const x = (value: Decimal) => toSmallestUnit(value, sentPlaces);
  const y = (value: Decimal) => toSmallestUnit(value, receivedPlaces);
  const [low, high] = x(a.amount) < x(b.amount) ? [a, b] : [b, a];
  const run = x(high.amount) - x(low.amount);
  const total = y(low.receive) * run + (x(amount) - x(low.amount)) * (y(high.receive) - y(low.receive));
  // Rounded down, also below zero.
  return fromSmallestUnit(total / run - (total % run < 0n ? 1n : 0n), receivedPlaces);
}

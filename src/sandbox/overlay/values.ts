import { UsageError } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../partner-api/json.ts';
import { nearestWords } from '../../suggest.ts';
import { type Decimal, plainDecimal } from '../../swap/amount.ts';
import { someOf } from '../../text.ts';
import { parseDuration } from '../../time.ts';

const MAX_DIGITS = 60;

/** Reads one value of an overlay. Throws UsageError that names its place. */
export type ReadValue<T> = (value: JsonValue, place: string) => T;

/** A whole number in a range. */
export function whole(min: number, max: number): ReadValue<number> {
  return (value, place) => {
    const digits = isJsonNumber(value) && /^[0-9]{1,9}$/.test(value.value) ? value.value : '';
    const number = digits === '' ? Number.NaN : Number.parseInt(digits, 10);
    if (number >= min && number <= max) return number;
    throw wrong(place, `must be a whole number from ${min} to ${max}`);
  };
}

/** One of some words. */
export function choice<T extends string>(...words: readonly T[]): ReadValue<T> {
  return (value, place) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw wrong(place, `must be one of ${words.join(', ')}`);
  };
}

/** A value, or null. */
export function orNull<T>(read: ReadValue<T>): ReadValue<T | null> {
  return (value, place) => (value === null ? null : read(value, place));
}

/** A text of at most 200 characters. */
export const readText: ReadValue<string> = (value, place) => {
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  throw wrong(place, 'must be a text of up to 200 characters');
};

/** A duration such as `20m`, in milliseconds. */
export const readDuration: ReadValue<number> = (value, place) => {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : null;
  if (milliseconds !== null) return milliseconds;
  throw wrong(place, 'must be a duration such as "30s", "20m" or "2h"');
};

/** A decimal from zero, as text or as a number, with all its digits. */
export const readDecimal: ReadValue<Decimal> = (value, place) => {
  const digits = isJsonNumber(value) ? value.value : value;
  const decimal = typeof digits === 'string' ? plainDecimal(digits) : undefined;
  if (decimal !== undefined && !decimal.startsWith('-') && decimal.length <= MAX_DIGITS) return decimal;
  throw wrong(place, `must be a decimal of at most ${MAX_DIGITS} characters, not below zero`);
};

/** An object with some of the members that are known, each read by its own reader. */
export function members<T>(
  readers: { readonly [K in keyof T]-?: ReadValue<NonNullable<T[K]> | Extract<T[K], null>> },
  kind: string,
): ReadValue<T> {
  return (value, place) => {
    const object = readObject(value, place);
    const known = Object.keys(readers);
    const read: [string, unknown][] = Object.entries(object).map(([key, member]) => {
      if (!Object.hasOwn(readers, key)) throw unknownName(place, kind, key, known);
      return [key, readers[key as keyof T](member, `${place}.${key}`)];
    });
    return Object.fromEntries(read) as T;
  };
}

/** An object of JSON. */
export const readObject: ReadValue<JsonObject> = (value, place) => {
  if (isJsonObject(value)) return value;
  throw wrong(place, 'must be an object');
};

/** A list whose items are read one by one. */
export function list<T>(read: ReadValue<T>): ReadValue<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw wrong(place, 'must be a list');
    return value.map((item, index) => read(item, `${place}[${index}]`));
  };
}

/** The error for a place in an overlay, such as `decisions.times`. */
export function wrong(place: string, what: string, hint?: string): UsageError {
  return new UsageError(`Overlay: ${place} ${what}.`, hint);
}

/** The error for a name that is not one of those known, with the nearest of them or all. */
export function unknownName(place: string, kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearestWords(known, name);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known are ${someOf(known)}.`;
  return wrong(place, `has no ${kind} "${name}"`, hint);
}

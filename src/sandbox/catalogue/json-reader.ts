import { UsageError } from '../../base/errors.ts';
import { nearestWords } from '../../base/suggest.ts';
import { someOf } from '../../base/text.ts';
import { parseDuration } from '../../base/time.ts';
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../core/partner-api/json.ts';
import { type Decimal, plainDecimal } from '../../core/swap/amount.ts';

const MAX_DIGITS = 60;

/** Place of a whole file in errors. */
const FILE = 'the file';

/** Reads one value of a JSON file, undefined for one that is missing. Throws {@link Wrong}. */
export type ReadValue<T> = (value: JsonValue | undefined, place: string) => T;

/** What a reader gives. */
export type Read<Reader> = Reader extends ReadValue<infer T> ? T : never;

/** What is wrong with a file, and where. */
class Wrong extends Error {
  override readonly name = 'Wrong';
  readonly hint: string | undefined;

  constructor(message: string, hint: string | undefined) {
    super(message);
    this.hint = hint;
  }
}

/** Runs what reads a file; its {@link Wrong} becomes a UsageError that names the file. */
export function reading<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    throw new UsageError(`${source}: ${error.message}.`, error.hint);
  }
}

/** Reads the JSON text of a file. Throws UsageError that names the source and the place of the first error. */
export function readFileText<T>(source: string, text: string, read: ReadValue<T>): T {
  return reading(source, () => {
    try {
      return read(parseJson(text), FILE);
    } catch (error) {
      if (error instanceof SyntaxError) throw wrong(FILE, `is not JSON: ${error.message}`);
      throw error;
    }
  });
}

/** A whole number in a range. */
export function whole(min: number, max: number): ReadValue<number> {
  return (value, place) => {
    const digits = isJsonNumber(value) && /^[0-9]{1,9}$/.test(value.value) ? value.value : '';
    const number = digits === '' ? Number.NaN : Number.parseInt(digits, 10);
    if (number >= min && number <= max) return number;
    throw wrong(place, `must be a whole number from ${min} to ${max}`);
  };
}

export function choice<T extends string>(...words: readonly T[]): ReadValue<T> {
  return (value, place) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw wrong(place, `must be one of ${words.join(', ')}`);
  };
}

/** A value, or null. */
export function orNull<T>(read: ReadValue<T>): ReadValue<T | null> {
  return (value, place) => {
    if (value === null) return null;
    try {
      return read(value, place);
    } catch (error) {
      throw error instanceof Wrong ? new Wrong(`${error.message}, or null`, error.hint) : error;
    }
  };
}

/** A text that is not empty, of at most 200 characters unless another limit is given. */
export function text(maxLength = 200): ReadValue<string> {
  return (value, place) => {
    if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value;
    const limit = Number.isFinite(maxLength) ? ` of up to ${maxLength} characters` : '';
    throw wrong(place, `must be a string${limit}`);
  };
}

/** A text in the form of a code. */
export const readCode: ReadValue<string> = (value, place) => {
  if (typeof value === 'string' && CODE.test(value)) return value;
  throw wrong(place, 'must be 1 to 32 printable ASCII characters without spaces and colons');
};

/** The form of the codes of coins and networks. */
const CODE = /^[!-9;-~]{1,32}$/;

/** True or false. */
export const readBoolean: ReadValue<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value;
  throw wrong(place, 'must be true or false');
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

/** An object with some of the members that are known, each read by its own reader; the required ones are also read where they are missing. */
export function members<
  Readers extends Readonly<Record<string, ReadValue<unknown>>>,
  Needed extends keyof Readers = never,
>(
  readers: Readers,
  kind: string,
  required: readonly Needed[] = [],
): ReadValue<
  { readonly [K in Exclude<keyof Readers, Needed>]?: Read<Readers[K]> } & {
    readonly [K in Needed]: Read<Readers[K]>;
  }
> {
  return (value, place) => {
    const known = Object.keys(readers);
    if (place === FILE && !isJsonObject(value))
      throw wrong(
        place,
        `must be an object with ${known.length === 1 ? 'the key' : 'any of the keys'} ${known.join(', ')}`,
      );
    const object = readObject(value, place);
    const other = Object.keys(object).find((key) => !Object.hasOwn(readers, key));
    if (other !== undefined) throw unknownName(place, kind, other, known);
    const read: [string, unknown][] = known
      .filter((key) => object[key] !== undefined || required.some((each) => each === key))
      .map((key) => [key, readers[key]?.(object[key], place === FILE ? key : `${place}.${key}`)]);
    return Object.fromEntries(read) as Read<ReturnType<typeof members<Readers, Needed>>>;
  };
}

/** An object of JSON. */
export const readObject: ReadValue<JsonObject> = (value, place) => {
  if (isJsonObject(value)) return value;
  throw wrong(place, 'must be an object');
};

/** A list whose items are read one by one. */
export function list<T>(read: ReadValue<T>, minLength = 0): ReadValue<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value) || value.length < minLength)
      throw wrong(place, minLength === 0 ? 'must be a list' : 'must be a list with at least one entry');
    return value.map((item, index) => read(item, `${place}[${index}]`));
  };
}

/** The error for a place in a file, such as `decisions.times`. */
export function wrong(place: string, what: string, hint?: string): Error {
  return new Wrong(`${place} ${what}`, hint);
}

/** The error for a name that is not one of those known, with the nearest of them or all. */
export function unknownName(
  place: string,
  kind: string,
  name: string,
  known: readonly string[],
  all = `Known names: ${someOf(known)}.`,
): Error {
  const near = nearestWords(known, name);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : all;
  return wrong(place, `has no ${kind} "${name}"`, hint);
}

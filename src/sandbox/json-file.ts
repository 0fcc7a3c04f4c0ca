import { UsageError } from '../base/errors.ts';
import { nearestWords } from '../base/suggest.ts';
import { someOf, visible } from '../base/text.ts';
import { parseDuration } from '../base/time.ts';
import { isJsonNumber, isJsonObject, type JsonValue, parseJson } from '../core/partner-api/json.ts';
import { type Decimal, plainDecimal } from '../core/swap/amount.ts';
import { type JsonNode, JsonSyntaxError, readJson } from '../core/swap/json-text.ts';

const MAX_DIGITS = 60;

/** Path of a whole file in errors. */
const ROOT_PATH = 'the file';

/** Reads one value of a JSON file, or a plain number, undefined for one that is missing. Throws {@link Wrong}. */
export type ReadValue<T> = (value: JsonValue | number | undefined, path: string) => T;

/** The type of the value that a {@link ReadValue} returns. */
export type Read<Reader> = Reader extends ReadValue<infer T> ? T : never;

/** What is wrong with a file, and where. */
class Wrong extends Error {
  override readonly name = 'Wrong';
  readonly path: string;
  readonly hint: string | undefined;
  /** Path whose line is named. */
  readonly at: string;

  constructor(path: string, what: string, hint: string | undefined, at = path) {
    super(what);
    this.path = path;
    this.hint = hint;
    this.at = at;
  }
}

/** Runs a reader; its {@link Wrong} becomes a UsageError that begins with `source` and names the line in `text`. */
export function withSource<T>(source: string, read: () => T, text: string | null = null): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { path, message, hint, at } = error;
    const line = text === null ? '' : ` (line ${lineOf(readJson(text), at)})`;
    throw new UsageError(`${source}${path} ${message}${line}.`, hint);
  }
}

/** Reads the JSON text of a file. Throws UsageError that names the source, and the path and line of the first error. */
export function readFileText<T>(source: string, text: string, read: ReadValue<T>): T {
  const withoutBom = text.replace(/^\uFEFF/, '');
  try {
    readJson(withoutBom);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${source}: the file is not JSON, line ${error.line}: ${error.message}`);
  }
  return withSource(`${source}: `, () => read(parseJson(withoutBom), ROOT_PATH), withoutBom);
}

/** The line of a path such as `coins[3].assets[0].decimals`, or of what should have it. */
function lineOf(node: JsonNode, path: string): number {
  const [, index, key] = /^\.?(?:\[(\d+)\]|([^.[]+))/.exec(path) ?? [];
  const rest = path.replace(/^\.?(?:\[\d+\]|[^.[]+)/, '');
  const items = node.type === 'array' ? node.items : [];
  const field = node.type === 'object' ? node.fields.find((each) => each.key === key) : undefined;
  const next = index === undefined ? field?.value : items[Number.parseInt(index, 10)];
  if (next === undefined) return node.line;
  return rest === '' ? (field?.line ?? next.line) : lineOf(next, rest);
}

/** A reader of whole numbers from `min` to `max`, which must not be text. */
export function whole(min: number, max: number): ReadValue<number> {
  return (value, path) => {
    const digits = isJsonNumber(value) ? value.value : typeof value === 'number' ? String(value) : '';
    const number = /^[0-9]{1,16}$/.test(digits) ? Number.parseInt(digits, 10) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw wrong(path, `must be a whole number from ${min} to ${max}`);
  };
}

export function choice<T extends string>(...words: readonly T[]): ReadValue<T> {
  return (value, path) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw wrong(path, `must be one of ${words.join(', ')}`);
  };
}

/** A reader that passes null on, and reads every other value by `read`. */
export function orNull<T>(read: ReadValue<T>): ReadValue<T | null> {
  return (value, path) => {
    if (value === null) return null;
    try {
      return read(value, path);
    } catch (error) {
      throw error instanceof Wrong
        ? new Wrong(error.path, `${error.message}, or null`, error.hint, error.at)
        : error;
    }
  };
}

/** A text of at most 200 characters unless another limit is given, not empty unless its least length is 0. */
export function text(maxLength = 200, minLength = 1): ReadValue<string> {
  return (value, path) => {
    if (typeof value === 'string' && value.length >= minLength && value.length <= maxLength) return value;
    const limit = Number.isFinite(maxLength) ? ` of up to ${maxLength} characters` : '';
    throw wrong(path, `must be a string${limit}`);
  };
}

/** Reads the code of a coin or network: 1 to 32 printable ASCII characters without spaces and colons. */
export const readCode: ReadValue<string> = (value, path) => {
  if (typeof value === 'string' && CODE.test(value)) return value;
  throw wrong(path, 'must be 1 to 32 printable ASCII characters without spaces and colons');
};

/** The form of the codes of coins and networks. */
const CODE = /^[!-9;-~]{1,32}$/;

/** Reads true or false; no other value stands for either. */
export const readBoolean: ReadValue<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw wrong(path, 'must be true or false');
};

/** A duration such as `20m`, in milliseconds. */
export const readDuration: ReadValue<number> = (value, path) => {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : null;
  if (milliseconds !== null) return milliseconds;
  throw wrong(path, 'must be a duration such as "30s", "20m" or "2h"');
};

/** A decimal from zero, as text or as a number, with all its digits. */
export const readDecimal: ReadValue<Decimal> = (value, path) => {
  const digits = isJsonNumber(value) ? value.value : value;
  const decimal = typeof digits === 'string' ? plainDecimal(digits) : undefined;
  if (decimal !== undefined && !decimal.startsWith('-') && decimal.length <= MAX_DIGITS) return decimal;
  throw wrong(path, `must be a decimal of at most ${MAX_DIGITS} characters, not below zero`);
};

/** A reader of objects of known members, each with its own reader, which gets undefined for a missing required one. */
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
  return (value, path) => {
    const known = Object.keys(readers);
    if (!isJsonObject(value)) {
      const keys = `${known.length === 1 ? 'the key' : 'any of the keys'} ${known.join(', ')}`;
      throw wrong(path, path === ROOT_PATH ? `must be an object with ${keys}` : 'must be an object');
    }
    const other = Object.keys(value).find((key) => !Object.hasOwn(readers, key));
    if (other !== undefined) throw unknownName(path, kind, other, known);
    const read: [string, unknown][] = known
      .filter((key) => value[key] !== undefined || required.some((each) => each === key))
      .map((key) => [key, readers[key]?.(value[key], path === ROOT_PATH ? key : `${path}.${key}`)]);
    return Object.fromEntries(read) as Read<ReturnType<typeof members<Readers, Needed>>>;
  };
}

/** A reader of lists of `minLength` to `maxLength` items, which reads each item with its index in the path. */
export function list<T>(
  read: ReadValue<T>,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
): ReadValue<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < minLength)
      throw wrong(path, minLength === 0 ? 'must be a list' : 'must be a list with at least one entry');
    if (value.length > maxLength) throw wrong(path, `must have at most ${maxLength} entries`);
    return value.map((item, index) => read(item, `${path}[${index}]`));
  };
}

/** The error for a path in a file, such as `decisions.fees`. */
export function wrong(path: string, what: string): Error {
  return new Wrong(path, what, undefined);
}

/** The error for a name that is not one of those known, with the nearest of them or all. */
export function unknownName(
  path: string,
  kind: string,
  name: string,
  known: readonly string[],
  all = `Known names: ${someOf(known)}.`,
): Error {
  const near = nearestWords(known, name);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : all;
  const at = path === ROOT_PATH ? name : `${path}.${name}`;
  return new Wrong(path, `has no ${kind} "${visible(name.slice(0, 60))}"`, hint, at);
}

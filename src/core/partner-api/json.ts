import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { type Decimal, plainDecimal } from '../swap/amount.ts';

/** Maximum nesting of JSON: the API needs five levels, and deep nesting makes a recursive parser overflow its stack. */
export const MAX_JSON_DEPTH = 200;

/** A JSON number with all its digits, in `value`. */
export { LosslessNumber as JsonNumber };

/** A parsed JSON document whose numbers kept their digits. */
export type JsonValue = null | boolean | string | LosslessNumber | JsonValue[] | JsonObject;

/** A JSON object; keys are own properties, `__proto__` included. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is a number that kept its digits. */
export function isJsonNumber(value: unknown): value is LosslessNumber {
  return isLosslessNumber(value);
}

/** Whether a value is a JSON object, not an array, a number or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Parses JSON with every digit. Throws SyntaxError, also for a key given twice with two values, and deep nesting. */
export function parseJson(text: string): JsonValue {
  refuseDeepNesting(text);
  return parse(text, undefined, { parseNumber: (digits: string) => new LosslessNumber(digits) }) as JsonValue;
}

/** Like {@link parseJson}, but undefined for text that it refuses. */
export function tryParseJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes a value as JSON; {@link JsonNumber}s keep all their digits, undefined properties are left out. */
export function writeJson(value: unknown, space?: number): string {
  const text = stringify(value, undefined, space);
  if (text === undefined) throw new TypeError('This value cannot be written as JSON.');
  return text;
}

/** A value for a writer without {@link JsonNumber}: a number, or its digits as text if a number would lose some. */
export function withPlainNumbers(value: JsonValue): unknown {
  if (isJsonNumber(value)) {
    const quick: unknown = JSON.parse(value.value);
    return JSON.stringify(quick) === value.value ? quick : value.value;
  }
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainNumbers(item)]));
}

/** Throws SyntaxError for more than {@link MAX_JSON_DEPTH} levels, before a recursive parser sees them. */
export function refuseDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw new SyntaxError(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
}

/** A nested member, by a path such as `pairs.deposit.address`; undefined if there is none. */
export function memberAt<T = JsonValue>(value: T | undefined, path: string): T | undefined {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      value,
    ) as T | undefined;
}

/** A nested text, undefined if there is none. */
export function textAt(value: JsonValue | undefined, path: string): string | undefined {
  const member = memberAt(value, path);
  return typeof member === 'string' ? member : undefined;
}

/** A nested number with all its digits, given as a JSON number or as text; undefined if there is none. */
export function decimalAt(value: JsonValue | undefined, path: string): Decimal | undefined {
  const member = memberAt(value, path);
  return plainDecimal(isJsonNumber(member) ? member.value : typeof member === 'string' ? member : '');
}

/** A nested whole number of up to 15 digits, given as a JSON number or as text. */
export function countAt(value: JsonValue | undefined, path: string): number | undefined {
  const text = decimalAt(value, path);
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

import { type Decimal, plainDecimal } from '../swap/amount.ts';
import { isJsonNumber, isJsonObject, type JsonValue } from './json.ts';

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

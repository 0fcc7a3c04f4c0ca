import { runInNewContext } from 'node:vm';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../core/partner-api/json.ts';
import { compareDecimals, type Decimal, plainDecimal, sameAmount } from '../../core/swap/amount.ts';

/** A value that is not as it was expected. */
export interface Difference {
  readonly path: string;
  readonly expected: JsonValue;
  /** Also null if there is nothing at the path. */
  readonly seen: JsonValue;
}

/** Time limit of one regular expression, in milliseconds. */
const MATCH_MS = 500;

const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'ne', 'matches', 'exists'] as const;

type Operator = (typeof OPERATORS)[number];

/** Last words of the paths whose texts are amounts, so that 0.10 is 0.1; memos and order numbers are not. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'paidAmount',
  'fee',
  'fees',
  'rate',
  'min',
  'max',
  'deposit',
  'receive',
  'value',
]);

/** Throws a UsageError that names the place of anything that is neither a value nor a comparison. */
export function checkComparison(expected: JsonValue, path: string): void {
  if (!isJsonObject(expected)) return;
  const used = Object.keys(expected).filter(isOperator);
  if (used.length === 0) {
    for (const [key, value] of Object.entries(expected)) checkComparison(value, `"${key}" in ${path}`);
    return;
  }
  const other = Object.keys(expected).find((key) => !isOperator(key));
  if (other !== undefined) throw new UsageError(`${path} has "${other}", which is not a comparison.`, HINT);
  for (const name of used) checkOperand(name, expected[name] ?? null, path);
}

const HINT = `Compare with ${OPERATORS.join(', ')}.`;

function checkOperand(name: Operator, operand: JsonValue, path: string): void {
  const wrong = (rule: string) => new UsageError(`"${name}" of ${path} ${rule}.`, HINT);
  if (name === 'exists' && typeof operand !== 'boolean') throw wrong('must be true or false');
  if (name === 'matches') {
    if (typeof operand !== 'string') throw wrong('must be a regular expression, as a string');
    try {
      new RegExp(operand, 'u');
    } catch {
      throw wrong('is not a regular expression');
    }
  }
  const isReference = typeof operand === 'string' && operand.includes('${');
  if (ORDERED.has(name) && !isReference && decimalOf(operand) === undefined) throw wrong('must be a number');
}

const ORDERED: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte']);

/** All differences of a value from what is expected: paths with values or comparisons. */
export function differences(expected: JsonObject, seen: JsonValue): readonly Difference[] {
  return Object.entries(expected).flatMap(([path, wanted]) =>
    differencesAt(path, wanted, valueAt(seen, path)),
  );
}

function differencesAt(path: string, expected: JsonValue, seen: JsonValue | undefined): Difference[] {
  if (isJsonObject(expected) && !Object.keys(expected).some(isOperator))
    return Object.entries(expected).flatMap(([key, value]) =>
      differencesAt(`${path}.${key}`, value, seen === undefined ? undefined : valueAt(seen, key)),
    );
  const isMet = isJsonObject(expected)
    ? Object.entries(expected).every(([name, operand]) => holds(name as Operator, operand, seen, path))
    : isSame(expected, seen, path);
  return isMet ? [] : [{ path, expected, seen: seen ?? null }];
}

function holds(name: Operator, operand: JsonValue, seen: JsonValue | undefined, path: string): boolean {
  if (name === 'exists') return (seen !== undefined && seen !== null) === operand;
  if (name === 'ne') return !isSame(operand, seen, path);
  if (name === 'matches') return matches(String(operand), textOf(seen), path);
  const [left, right] = [decimalOf(seen), decimalOf(operand)];
  if (left === undefined || right === undefined) return false;
  const order = compareDecimals(left, right);
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[name];
}

/** Some expressions take years on some texts, so each gets a moment; in a context of its own, V8 can stop it. */
function matches(expression: string, text: string, path: string): boolean {
  try {
    return runInNewContext(
      'new RegExp(expression, "u").test(text)',
      { expression, text },
      { timeout: MATCH_MS },
    );
  } catch {
    throw new UsageError(
      `The regular expression for "${path}" gave no result within ${MATCH_MS} ms.`,
      'Nested repetitions, such as (a+)+, are slow; write it without them.',
    );
  }
}

function isSame(expected: JsonValue, seen: JsonValue | undefined, path: string): boolean {
  if (expected === null || seen === undefined || seen === null)
    return expected === null && (seen ?? null) === null;
  if (Array.isArray(expected))
    return (
      Array.isArray(seen) &&
      seen.length === expected.length &&
      expected.every((item, index) => isSame(item, seen[index], path))
    );
  if (isJsonObject(expected))
    return (
      isJsonObject(seen) &&
      Object.entries(expected).every(([key, item]) => isSame(item, valueAt(seen, key), `${path}.${key}`))
    );
  const isAmount = isJsonNumber(expected) || isJsonNumber(seen) || AMOUNTS.has(path.split('.').at(-1) ?? '');
  const [left, right] = [decimalOf(expected), decimalOf(seen)];
  if (isAmount && left !== undefined && right !== undefined) return sameAmount(left, right);
  return textOf(expected) === textOf(seen) && typeof expected === typeof seen;
}

function decimalOf(value: JsonValue | undefined): Decimal | undefined {
  if (typeof value === 'string') return /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) ? value : undefined;
  return value !== undefined && isJsonNumber(value) ? plainDecimal(value.value) : undefined;
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return isJsonNumber(value) ? value.value : typeof value === 'object' ? '' : String(value);
}

function isOperator(name: string): name is Operator {
  return OPERATORS.some((each) => each === name);
}

/** A reference in a text: the name of a step, and a path in its result. */
const REFERENCE = /\$\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\}/g;
const WHOLE = /^\$\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\}$/;

/** Names of the steps that a value refers to. */
export function referencesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, name = '']) => name);
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/**
 * A value with its references replaced: a text that is one reference becomes that value; in a longer text the value is
 * inserted as text. Throws a UsageError for an unknown path, or a value that cannot be in a text.
 */
export function resolved(value: JsonValue, results: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') return resolvedText(value, results);
  if (Array.isArray(value)) return value.map((item) => resolved(item, results));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, results)]));
}

function resolvedText(text: string, results: ReadonlyMap<string, JsonValue>): JsonValue {
  const whole = WHOLE.exec(text);
  if (whole !== null) return resolveReference(whole[1] ?? '', whole[2] ?? '', results);
  return text.replaceAll(REFERENCE, (reference, name: string, path: string) => {
    const value = resolveReference(name, path, results);
    if (typeof value === 'string' || typeof value === 'boolean') return String(value);
    if (isJsonNumber(value)) return value.value;
    throw new UsageError(`${visible(reference)} is used inside a string, but has no value.`);
  });
}

function resolveReference(name: string, path: string, results: ReadonlyMap<string, JsonValue>): JsonValue {
  const result = results.get(name) ?? null;
  const value = valueAt(result, path.slice(1));
  if (value !== undefined) return value;
  throw new UsageError(`The result "${visible(name)}" has no ${visible(path.slice(1))}.`);
}

/** The value at a path such as `receive.amount` or `doubts.0`; undefined if there is none. */
function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (Array.isArray(found)) found = /^[0-9]{1,6}$/.test(key) ? found[Number.parseInt(key, 10)] : undefined;
    else if (found !== undefined && isJsonObject(found))
      found = Object.hasOwn(found, key) ? found[key] : undefined;
    else return undefined;
  }
  return found;
}

import { UsageError } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type JsonValue } from '../../partner-api/json.ts';
import { visible } from '../../text.ts';

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
 * A value with its references replaced by their values: the result itself where a text is one reference, its
 * text inside a longer one. Throws a UsageError for a path that a result does not have.
 */
export function resolved(value: JsonValue, results: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') return resolvedText(value, results);
  if (Array.isArray(value)) return value.map((item) => resolved(item, results));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, results)]));
}

function resolvedText(text: string, results: ReadonlyMap<string, JsonValue>): JsonValue {
  const whole = WHOLE.exec(text);
  if (whole !== null) return referred(whole[1] ?? '', whole[2] ?? '', results);
  return text.replaceAll(REFERENCE, (reference, name: string, path: string) => {
    const value = referred(name, path, results);
    if (typeof value === 'string' || typeof value === 'boolean') return String(value);
    if (isJsonNumber(value)) return value.value;
    throw new UsageError(`${visible(reference)} is used inside a string, but has no value.`);
  });
}

function referred(name: string, path: string, results: ReadonlyMap<string, JsonValue>): JsonValue {
  const result = results.get(name) ?? null;
  const value = valueAt(result, path.slice(1));
  if (value !== undefined) return value;
  throw new UsageError(`The result "${visible(name)}" has no ${visible(path.slice(1))}.`);
}

/** The value at a path such as `receive.amount` or `doubts.0`; undefined where there is none. */
export function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (Array.isArray(found)) found = /^[0-9]{1,6}$/.test(key) ? found[Number.parseInt(key, 10)] : undefined;
    else if (found !== undefined && isJsonObject(found))
      found = Object.hasOwn(found, key) ? found[key] : undefined;
    else return undefined;
  }
  return found;
}

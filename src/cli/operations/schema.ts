/** A JSON Schema of the 2020-12 draft. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The dialect of every schema here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A schema for each key of a type, so that the compiler reports a key that is in only one of them. */
type Properties<T> = { readonly [Key in keyof T]-?: JsonSchema };

/**
 * An object with exactly the keys of its type, in their order; `optional` keys may be absent. Further keys are not
 * forbidden, because keys are only ever added.
 */
export function object<T extends object>(properties: Properties<T>, optional: readonly (keyof T)[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key as keyof T));
  return { type: 'object', properties, required };
}

/** An object with all keys of the shape `base`, and its own. */
export function extending<Base extends object, T extends Base>(
  base: string,
  properties: Properties<Omit<T, keyof Base>>,
): JsonSchema {
  const { type, ...own } = object(properties);
  return { type, allOf: [ref(base)], ...own };
}

/** An object with any keys, and values of one kind. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A list of objects with exactly the keys of their type. */
export function objects<T extends object>(properties: Properties<T>): JsonSchema {
  return listOf(object(properties));
}

/** One of several values, or of several kinds. */
export function oneOf(...values: readonly (string | null)[]): JsonSchema {
  return { enum: values };
}

/** A value that fits one of several schemas. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas };
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** A value that may be null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return typeof type === 'string' ? { ...schema, type: [type, 'null'] } : anyOf(schema, { type: 'null' });
}

/** A schema with a sentence about its value. */
export function about(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

export const TEXT: JsonSchema = { type: 'string' };
export const TEXT_OR_NULL = nullable(TEXT);
export const TEXTS = listOf(TEXT);
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const INTEGER: JsonSchema = { type: 'integer' };
export const INTEGER_OR_NULL = nullable(INTEGER);
export const NUMBER: JsonSchema = { type: 'number' };
export const TRUE: JsonSchema = { const: true };
/** Any JSON value. */
export const ANYTHING: JsonSchema = {};
/** An object about which nothing is specified. */
export const OPEN: JsonSchema = { type: 'object' };

/** An amount, rate or fee: decimal text with every digit. */
export const AMOUNT: JsonSchema = { type: 'string', pattern: '^\\d+(\\.\\d+)?$' };
export const AMOUNT_OR_NULL = ref('amountOrNull');

/** A time of our own: RFC 3339, UTC. Times of the service are text as it sent them. */
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
export const TIME_OR_NULL = nullable(TIME);

/** The environment, which most results have besides the profile. */
export const ENVIRONMENT = oneOf('sandbox', 'live');

export const RATE_TYPE = oneOf('fixed', 'float');

/** Possible effects of a failed request. */
export const OUTCOME = oneOf('nothing-sent', 'refused', 'unknown', 'done');

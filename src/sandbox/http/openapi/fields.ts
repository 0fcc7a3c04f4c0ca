import { decided } from '../../habits/decided.ts';
import type { Habits } from '../../habits/decisions.ts';
import type { Field } from '../fields.ts';
import type { Examples } from './examples.ts';
import type { Schema } from './schemas.ts';

type Example = Examples[keyof Examples][string];

/** A parameter of a query. */
export function parameter(field: Field, habits: Habits, example: Example | undefined): Schema {
  const { name, description } = field;
  return {
    name,
    in: 'query',
    required: isRequired(field, habits),
    description,
    schema: fieldSchema(field),
    ...(example === undefined ? {} : { example }),
    ...assumed(field, habits),
  };
}

/** The JSON body of an operation. */
export function requestBody(
  fields: readonly Field[],
  habits: Habits,
  example: Readonly<Record<string, Example>>,
): Schema {
  const schema = {
    type: 'object',
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...bodySchema(field), description: field.description, ...assumed(field, habits) },
      ]),
    ),
  };
  return {
    required: true,
    'x-assumed':
      'without Content-Type: application/json, or with another Content-Encoding than identity, 415',
    content: { 'application/json': { schema, example } },
  };
}

function isRequired({ required, habit }: Field, habits: Habits): boolean {
  return required || (habit === 'networks-required' && habits.has(habit));
}

/** Schema of a body's field; an optional one may also be null. */
function bodySchema(field: Field): Schema {
  const schema = fieldSchema(field);
  return field.required ? schema : { ...schema, type: [schema['type'], 'null'] };
}

function fieldSchema({ type, required, choices, upTo, byDefault }: Field): Schema {
  const isNumber = type === 'number';
  const typed = (value: string): string | number => (isNumber ? Number.parseInt(value, 10) : value);
  return {
    type: isNumber ? (upTo === undefined ? 'number' : 'integer') : 'string',
    ...(type === 'string' && required && choices === undefined ? { minLength: 1 } : {}),
    // As JSON writes numbers: no needless zero in front.
    ...(type === 'decimal' ? { pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$' } : {}),
    ...(choices === undefined ? {} : { enum: choices.map(typed) }),
    ...(upTo === undefined ? {} : { minimum: 1, maximum: upTo }),
    ...(byDefault === undefined ? {} : { default: typed(byDefault) }),
  };
}

function assumed({ assumed: text, habit }: Field, habits: Habits): Schema {
  if (habit !== undefined) return decided(habits, habit);
  return text === undefined ? {} : { 'x-assumed': text };
}

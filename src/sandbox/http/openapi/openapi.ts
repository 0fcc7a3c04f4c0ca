import {
  AUTH_HEADERS,
  ENDPOINTS,
  type EndpointName,
  endpointPath,
} from '../../../core/partner-api/endpoints.ts';
import { writeJson } from '../../../core/partner-api/json.ts';
import { builtInCatalogue } from '../../catalogue/catalogue.ts';
import type { Choices } from '../../habits/choices.ts';
import { type Habits, NO_CHOICES, NO_HABITS } from '../../habits/decisions.ts';
import { Pairs } from '../../prices/pairs.ts';
import { EXACT_PATH, FAULTS_COME } from '../../state/assumptions.ts';
import { stateRow } from '../../state/state-row.ts';
import type { Core } from '../core.ts';
import { type Field, fieldsOf } from '../fields.ts';
import { type Examples, examplesFrom } from './examples.ts';
import { responses } from './responses.ts';
import { answerSchemas, decided, type Schema } from './schemas.ts';
import texts from './texts.json';

/** The service that a document describes. */
export interface Described {
  readonly url: string;
  readonly habits: Habits;
  /** Default: the choices of the plain sandbox. */
  readonly choices?: Choices;
  readonly examples: Examples;
}

/** In an order in which their examples can be sent: an order is created before it is read. */
const OPERATIONS = texts.operations satisfies Readonly<Record<EndpointName, object>>;

/** The service that `sandbox start` gives without any option. */
export function defaultService(): Described {
  const catalogue = builtInCatalogue();
  return {
    url: 'http://127.0.0.1:4010',
    habits: NO_HABITS,
    examples: examplesFrom({ catalogue, pairs: new Pairs(catalogue), orderNumber: 'KQWZPA' }),
  };
}

/**
 * The OpenAPI 3.1 document of the partner API, made from the tables that validate its requests. Where the API document
 * is silent, the sandbox's decision carries `x-assumed`: docs/partner-api.md#where-the-document-is-silent. Write it
 * with `writeJson`: the numbers of its examples are JSON numbers that keep their digits.
 */
export function openApiDocument(described: Described = defaultService()): Schema {
  const { url, habits } = described;
  const names = Object.keys(OPERATIONS) as EndpointName[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Instant Swap Partner API',
      version: '1.0.0',
      summary: 'As the sandbox of swapctl serves it.',
      description: texts.description.join('\n\n'),
      contact: { name: 'The operator of this swapctl sandbox', url },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-assumed': `an operator's faults apply ${FAULTS_COME}`,
    },
    servers: [{ url, description: 'swapctl sandbox start' }],
    tags: Object.entries(texts.tags).map(([name, description]) => ({ name, description })),
    security: [{ publicKey: [], payload: [], signature: [] }],
    paths: Object.fromEntries(names.map((name) => [endpointPath(name), pathItem(name, described)])),
    components: {
      securitySchemes: {
        publicKey: apiKey(AUTH_HEADERS.publicKey, "The partner's public key."),
        payload: apiKey(AUTH_HEADERS.payload, 'The last segment of the path.'),
        signature: apiKey(
          AUTH_HEADERS.signature,
          "HMAC-SHA512 of the payload, keyed with the partner's secret, in hexadecimal.",
        ),
      },
      schemas: answerSchemas(habits),
    },
  };
}

function apiKey(name: string, description: string): Schema {
  return { type: 'apiKey', in: 'header', name, description };
}

function pathItem(name: EndpointName, { habits, choices = NO_CHOICES, examples }: Described): Schema {
  const { method } = ENDPOINTS[name];
  const fields = fieldsOf(choices)[name];
  const input =
    method === 'GET'
      ? { parameters: fields.map((field) => parameter(field, habits, examples[name][field.name])) }
      : { requestBody: requestBody(fields, habits, examples[name]) };
  const { tag, summary, description } = OPERATIONS[name];
  const operation = {
    operationId: name,
    tags: [tag],
    summary,
    description,
    'x-assumed': `the path must match ${EXACT_PATH}`,
    ...input,
    responses: responses(name, habits, choices),
  };
  return { [method.toLowerCase()]: operation };
}

/** The OpenAPI document of a running server as text; its examples read the order that the next create will make. */
export async function servedDocument(
  { database, catalogue, pairs, orderNumbers, decisions: { habits, choices } }: Core,
  url: string,
): Promise<string> {
  const { orders_made } = await stateRow(database.kysely);
  const orderNumber = orderNumbers.numberAt(orders_made + 1);
  const examples = examplesFrom({ catalogue, pairs, orderNumber });
  return writeJson(openApiDocument({ url, habits, choices, examples }), 2);
}

type Example = Examples[keyof Examples][string];

export function parameter(field: Field, habits: Habits, example: Example | undefined): Schema {
  const { name, description, required, habit } = field;
  return {
    name,
    in: 'query',
    required: required || (habit === 'networks-required' && habits.has(habit)),
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
      fields.map((field) => {
        const schema = fieldSchema(field);
        const type = field.required ? schema['type'] : [schema['type'], 'null'];
        return [field.name, { ...schema, type, description: field.description, ...assumed(field, habits) }];
      }),
    ),
  };
  return {
    required: true,
    'x-assumed':
      'without Content-Type: application/json, or with another Content-Encoding than identity, 415',
    content: { 'application/json': { schema, example } },
  };
}

function fieldSchema({ type, required, choices, upTo, byDefault }: Field): Schema {
  const isNumber = type === 'number';
  const toFieldType = (value: string): string | number => (isNumber ? Number.parseInt(value, 10) : value);
  return {
    type: isNumber ? (upTo === undefined ? 'number' : 'integer') : 'string',
    ...(type === 'string' && required && choices === undefined ? { minLength: 1 } : {}),
    // As JSON writes numbers: no needless zero in front.
    ...(type === 'decimal' ? { pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$' } : {}),
    ...(choices === undefined ? {} : { enum: choices.map(toFieldType) }),
    ...(upTo === undefined ? {} : { minimum: 1, maximum: upTo }),
    ...(byDefault === undefined ? {} : { default: toFieldType(byDefault) }),
  };
}

function assumed({ assumed: text, habit }: Field, habits: Habits): Schema {
  if (habit !== undefined) return decided(habits, habit);
  return text === undefined ? {} : { 'x-assumed': text };
}

import type { EndpointName } from '../partner-api/endpoints.ts';
import { AUTH_HEADERS, ENDPOINT_NAMES, ENDPOINTS, endpointPath } from '../partner-api/endpoints.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import { FAILURE_TEXTS } from './api-error.ts';
import { CREATED_STATUS, MAX_BODY_BYTES, OK_STATUS, RATE_LIMIT } from './assumptions.ts';
import type { Field } from './fields.ts';
import { ENDPOINT_FIELDS } from './fields.ts';
import type { Schema } from './openapi-schemas.ts';
import { ANSWER_SCHEMAS, schemaRef } from './openapi-schemas.ts';

interface Operation {
  readonly summary: string;
  readonly answer: string;
  /** Texts of a 400 that is no list of validation texts. */
  readonly refusals?: readonly string[];
  readonly notFound?: string;
}

const OPERATIONS: Readonly<Record<EndpointName, Operation>> = {
  'get-all-coins': { summary: 'List coins', answer: 'CoinList' },
  'get-coin-network': { summary: 'Coin networks', answer: 'CoinNetworks', notFound: MESSAGES.NOT_FOUND },
  'exchange-coin': {
    summary: 'Pair information (quote)',
    answer: 'Quote',
    refusals: [MESSAGES.BELOW_MINIMUM, MESSAGES.ABOVE_MAXIMUM],
    notFound: MESSAGES.NOT_FOUND,
  },
  'get-transaction': {
    summary: 'Get transaction',
    answer: 'Transaction',
    notFound: MESSAGES.TRANSACTION_NOT_FOUND,
  },
  'create-transaction': {
    summary: 'Create transaction',
    answer: 'NewTransaction',
    refusals: [MESSAGES.BELOW_MINIMUM, MESSAGES.ABOVE_MAXIMUM, MESSAGES.INVALID_WITHDRAWAL_ADDRESS],
    notFound: MESSAGES.NOT_FOUND,
  },
  'update-refund-address': {
    summary: 'Update refund address',
    answer: 'RefundUpdate',
    notFound: MESSAGES.TRANSACTION_NOT_FOUND,
  },
};

/**
 * The OpenAPI 3.1 document of the partner API, made from the tables that validate its requests. What partner-api.md
 * leaves open and the sandbox decided carries `x-assumed`.
 */
export function openApiDocument(): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Instant Swap Partner API',
      version: '1.0.0',
      summary: 'As the sandbox of swapctl serves it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010', description: 'swapctl sandbox start' }],
    security: [{ publicKey: [], payload: [], signature: [] }],
    paths: Object.fromEntries(ENDPOINT_NAMES.map((name) => [endpointPath(name), pathItem(name)])),
    components: {
      securitySchemes: {
        publicKey: apiKey(AUTH_HEADERS.publicKey, "The partner's public key."),
        payload: apiKey(AUTH_HEADERS.payload, 'The last segment of the path.'),
        signature: apiKey(
          AUTH_HEADERS.signature,
          "HMAC-SHA512 of the payload, keyed with the partner's secret, in hexadecimal.",
        ),
      },
      schemas: ANSWER_SCHEMAS,
    },
  };
}

function apiKey(name: string, description: string): Schema {
  return { type: 'apiKey', in: 'header', name, description };
}

function pathItem(name: EndpointName): Schema {
  const { method } = ENDPOINTS[name];
  const { summary } = OPERATIONS[name];
  const fields = ENDPOINT_FIELDS[name];
  const input =
    method === 'GET' ? { parameters: fields.map(parameter) } : { requestBody: requestBody(fields) };
  const operation = { operationId: name, summary, ...input, responses: responses(name) };
  return { [method.toLowerCase()]: operation };
}

function parameter(field: Field): Schema {
  const { name, required, description } = field;
  return { name, in: 'query', required, description, schema: fieldSchema(field), ...assumed(field) };
}

function requestBody(fields: readonly Field[]): Schema {
  const schema = {
    type: 'object',
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...fieldSchema(field), description: field.description, ...assumed(field) },
      ]),
    ),
  };
  return { required: true, content: { 'application/json': { schema } } };
}

function fieldSchema({ type, required, choices, upTo, byDefault }: Field): Schema {
  const isNumber = type === 'number';
  const typed = (value: string): string | number => (isNumber ? Number.parseInt(value, 10) : value);
  return {
    type: isNumber ? (upTo === undefined ? 'number' : 'integer') : 'string',
    ...(type === 'string' && required && choices === undefined ? { minLength: 1 } : {}),
    ...(type === 'decimal' ? { pattern: '^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$' } : {}),
    ...(choices === undefined ? {} : { enum: choices.map(typed) }),
    ...(upTo === undefined ? {} : { minimum: 1, maximum: upTo }),
    ...(byDefault === undefined ? {} : { default: typed(byDefault) }),
  };
}

function assumed({ assumed: text }: Field): Schema {
  return text === undefined ? {} : { 'x-assumed': text };
}

function responses(name: EndpointName): Schema {
  const { answer, refusals = [], notFound } = OPERATIONS[name];
  const success = name === 'create-transaction' ? CREATED_STATUS : OK_STATUS;
  const error = (description: string, schema = schemaRef('Error'), more: Schema = {}): Schema => ({
    description,
    headers: LIMIT_HEADERS,
    ...more,
    content: { 'application/json': { schema } },
  });
  const invalid = { oneOf: [schemaRef('ValidationError'), schemaRef('Error')] };
  return {
    [success]: error('Success', schemaRef(answer), { 'x-assumed': 'the status code' }),
    400: error(['A list of validation texts', ...refusals].join('; or '), invalid),
    403: error([MESSAGES.INVALID_PUBLIC_KEY, MESSAGES.INVALID_PAYLOAD, MESSAGES.INVALID_SIGNATURE].join(' ')),
    ...(notFound === undefined ? {} : { 404: error(notFound) }),
    ...(ENDPOINTS[name].method === 'GET'
      ? {}
      : { 413: error(`More than ${MAX_BODY_BYTES} bytes`, undefined, { 'x-assumed': 'the limit' }) }),
    429: error(MESSAGES.RATE_LIMITED, undefined, {
      'x-assumed': `${RATE_LIMIT.count} requests in ${RATE_LIMIT.windowSeconds} seconds, and the headers`,
    }),
    500: error(FAILURE_TEXTS[name]),
  };
}

const LIMIT_HEADERS: Schema = Object.fromEntries(
  [
    ['RateLimit-Limit', 'Requests that a key may send in a window'],
    ['RateLimit-Remaining', 'Requests left in this window'],
    ['RateLimit-Reset', 'Seconds until the window ends'],
    ['Retry-After', 'Seconds to wait after a 429'],
  ].map(([header = '', description]) => [header, { description, schema: { type: 'integer' } }]),
);

import type { EndpointName } from '../../../partner-api/endpoints.ts';
import { AUTH_HEADERS, ENDPOINTS, endpointPath } from '../../../partner-api/endpoints.ts';
import { builtInCatalogue } from '../../catalogue/catalogue.ts';
import type { Choices } from '../../habits/choices.ts';
import type { Habits } from '../../habits/decisions.ts';
import { NO_CHOICES, NO_HABITS } from '../../habits/decisions.ts';
import { Pairs } from '../../prices/pairs.ts';
import { EXACT_PATH, FAULTS_COME } from '../../state/assumptions.ts';
import { fieldsOf } from '../fields.ts';
import type { Examples } from './examples.ts';
import { examplesFrom } from './examples.ts';
import { parameter, requestBody } from './fields.ts';
import { responses } from './responses.ts';
import type { Schema } from './schemas.ts';
import { answerSchemas } from './schemas.ts';

/** The service that a document describes. */
export interface Described {
  /** URL of the service. */
  readonly url: string;
  readonly habits: Habits;
  /** Default: the choices of the plain sandbox. */
  readonly choices?: Choices;
  readonly examples: Examples;
}

// In this order, because the examples sent from top to bottom must all succeed: an order is created before it is read.
const SUMMARIES: Readonly<Record<EndpointName, string>> = {
  'get-all-coins': 'List coins',
  'get-coin-network': 'Coin networks',
  'exchange-coin': 'Pair information (quote)',
  'create-transaction': 'Create transaction',
  'get-transaction': 'Get transaction',
  'update-refund-address': 'Update refund address',
};

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
  const { url, habits, choices = NO_CHOICES } = described;
  const names = Object.keys(SUMMARIES) as EndpointName[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Instant Swap Partner API',
      version: '1.0.0',
      summary: 'As the sandbox of swapctl serves it.',
      license: { name: 'MIT', identifier: 'MIT' },
      'x-assumed': `an operator's faults come ${FAULTS_COME}`,
    },
    servers: [{ url, description: 'swapctl sandbox start' }],
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
      schemas: answerSchemas(habits, choices),
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
  const operation = {
    operationId: name,
    summary: SUMMARIES[name],
    'x-assumed': `the path is taken ${EXACT_PATH}`,
    ...input,
    responses: responses(name, habits, choices),
  };
  return { [method.toLowerCase()]: operation };
}

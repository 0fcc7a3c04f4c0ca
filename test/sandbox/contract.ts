import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/core/partner-api/endpoints.ts';
import { type Habits, NO_HABITS } from '../../src/sandbox/habits/decisions.ts';
import { defaultService, openApiDocument } from '../../src/sandbox/http/openapi/openapi.ts';

const compiled = new Map<string, ValidateFunction>();
// Optimizing the code of a validator takes half of its compilation, which a few runs do not repay.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });

/** The habits of a service. */
interface Decided {
  readonly habits?: Habits;
}

/** Throws unless the OpenAPI document of a service with these habits allows this response. */
export function checkAnswer(
  endpoint: EndpointName,
  status: number,
  body: unknown,
  { habits = NO_HABITS }: Decided = {},
): void {
  const id = `openapi-${[...habits].join('-')}`;
  const document = () => openApiDocument({ ...defaultService(), habits });
  const problem = answerProblem({ id, document }, endpoint, status, body);
  if (problem !== null) throw new Error(`${endpoint} ${status} is not as documented: ${problem}`);
}

/** How a response deviates from an OpenAPI document, or null. `id` identifies the document in this process. */
export function answerProblem(
  { id, document }: { readonly id: string; readonly document: () => object },
  endpoint: EndpointName,
  status: number,
  body: unknown,
): string | null {
  if (ajv.getSchema(id) === undefined) ajv.addSchema(document(), id);
  const pointer = [
    'paths',
    endpointPath(endpoint),
    ENDPOINTS[endpoint].method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ];
  const reference = `${id}#/${pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, validate);
  return validate(body) ? null : ajv.errorsText(validate.errors);
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
type Document = any;

/** Whether the OpenAPI document allows a request with these parameters. */
export function requestFits(
  document: Document,
  endpoint: EndpointName,
  parameters: Readonly<Record<string, unknown>>,
): boolean {
  const { method } = ENDPOINTS[endpoint];
  const operation = document.paths[endpointPath(endpoint)][method.toLowerCase()];
  if (method !== 'GET')
    return ajv.validate(operation.requestBody.content['application/json'].schema, parameters);
  const given = operation.parameters.filter(({ name }: { name: string }) => name in parameters);
  return given.every(({ name, schema }: Document) => {
    const text = String(parameters[name]);
    // Numbers are parsed as JSON, where 01 is invalid.
    return ajv.validate(schema, /number|integer/.test(schema.type) ? numberOf(text) : text);
  });
}

function numberOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

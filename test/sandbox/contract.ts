import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/partner-api/endpoints.ts';
import { openApiDocument } from '../../src/sandbox/openapi.ts';

const compiled = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, allErrors: true });
const document = openApiDocument();
ajv.addSchema(document, 'openapi');

/** Throws unless the OpenAPI document has this answer, so that every answer of the tests is checked against it. */
export function checkAnswer(endpoint: EndpointName, status: number, body: unknown): void {
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
  const reference = `openapi#/${pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, validate);
  if (validate(body)) return;
  throw new Error(`${endpoint} ${status} is not as documented: ${ajv.errorsText(validate.errors)}`);
}

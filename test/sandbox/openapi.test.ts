import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES, endpointPath } from '../../src/partner-api/endpoints.ts';
import { ENDPOINT_FIELDS } from '../../src/sandbox/fields.ts';
import { openApiDocument } from '../../src/sandbox/openapi.ts';
import { checkAnswer } from './contract.ts';
import { testSandbox } from './sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into a JSON document.
const document: any = JSON.parse(JSON.stringify(openApiDocument()));

describe('the OpenAPI document', () => {
  it('is served to everybody, as it is exported', async () => {
    const sandbox = await testSandbox();
    const answer = await fetch(`${sandbox.url}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(document);
    await sandbox.stop();
  });

  it('has every endpoint with the fields that validate it', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(ENDPOINT_NAMES.map(endpointPath));
    for (const name of ENDPOINT_NAMES) {
      const [operation] = Object.values<Record<string, never>>(document.paths[endpointPath(name)]);
      const names = ENDPOINT_FIELDS[name].map((field) => field.name);
      const { parameters, requestBody } = operation as {
        parameters?: { name: string }[];
        requestBody?: never;
      };
      const documented =
        parameters?.map((parameter) => parameter.name) ??
        Object.keys((requestBody ?? ({} as never))['content']['application/json']['schema']['properties']);
      expect(documented).toEqual(names);
    }
  });

  it('marks what the API document leaves open', () => {
    const parameters = document.paths['/api/private/get-all-coins'].get.parameters;
    const marked = parameters.filter((parameter: object) => 'x-assumed' in parameter);
    expect(marked.map(({ name }: { name: string }) => name)).toEqual(['page', 'limit', 'method']);
    expect(parameters.find(({ name }: { name: string }) => name === 'limit').schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
    expect(document.components.schemas.Transaction.properties.createdAt['x-assumed']).toMatch(/RFC 3339/);
  });

  it('refuses answers that are not as it says', () => {
    const error = { statusCode: 404, message: 'Not found.' };
    expect(() => checkAnswer('get-transaction', 404, error)).not.toThrow();
    expect(() => checkAnswer('get-transaction', 404, { ...error, more: 1 })).toThrow(/additional properties/);
    expect(() => checkAnswer('get-transaction', 200, error)).toThrow();
    expect(() => checkAnswer('get-transaction', 418, error)).toThrow();
  });
});

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  endpointPath,
} from '../../../src/core/partner-api/endpoints.ts';
import { HABIT_NAMES, HABITS, type HabitName } from '../../../src/core/partner-api/habits.ts';
import { writeJson } from '../../../src/core/partner-api/json.ts';
import { ENDPOINT_FIELDS } from '../../../src/sandbox/http/fields.ts';
import { defaultService, openApiDocument } from '../../../src/sandbox/http/openapi/openapi.ts';
import { PLAIN_DECISIONS } from '../../../src/sandbox/state/assumptions.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { answerProblem, checkAnswer, requestFits } from '../contract.ts';
import {
  call,
  NEW_SWAP,
  newOrder,
  QUOTE,
  sandboxForTest,
  type TestSandbox,
  testSandbox,
} from '../sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into a JSON document.
type Document = any;

const document: Document = JSON.parse(writeJson(openApiDocument()));

async function served(sandbox: TestSandbox): Promise<Document> {
  const answer = await fetch(`${sandbox.url}/openapi.json`);
  expect(answer.status).toBe(200);
  return answer.json();
}

/** Rules beyond the specification, for readers and client generators. */
const DESCRIBED = {
  'info-contact': 'error',
  'info-license': 'error',
  'operation-summary': 'error',
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'tag-description': 'error',
} as const;

describe('the OpenAPI document', () => {
  it('is served as it is exported, with the URL in use and the next order number as example', async () => {
    const sandbox = await sandboxForTest();
    const { servers, paths, info, ...rest } = await served(sandbox);
    const { servers: _, paths: exported, info: own, ...others } = document;
    expect(rest).toEqual(others);
    expect(info).toEqual({ ...own, contact: { ...own.contact, url: sandbox.url } });
    expect(servers).toEqual([{ url: sandbox.url, description: 'swapctl sandbox start' }]);
    const id = paths['/api/private/get-transaction'].get.parameters[0].example;
    expect(Object.keys(paths)).toEqual(Object.keys(exported));
    expect(await newOrder(sandbox)).toBe(id);
  });

  it.each([
    ['of the plain sandbox', []],
    ['with every habit', HABIT_NAMES],
  ] as const)('%s is valid OpenAPI', async (_, habits) => {
    const source = writeJson(openApiDocument({ ...defaultService(), habits: new Set<HabitName>(habits) }));
    const config = await createConfig({ extends: ['spec'], rules: DESCRIBED });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  it('states each decision that a habit reverses, with the alternative', () => {
    for (const habits of [[], HABIT_NAMES]) {
      const text = writeJson(openApiDocument({ ...defaultService(), habits: new Set<HabitName>(habits) }));
      for (const name of HABIT_NAMES) {
        const [here, other] = [PLAIN_DECISIONS[name], HABITS[name]];
        const said = habits.length === 0 ? [here, other] : [other, here];
        expect(text).toContain(`${said[0]} (other reading: ${said[1]}; habit ${name})`);
      }
    }
  });

  it('has every endpoint with its parameters in order', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual(ENDPOINT_NAMES.map(endpointPath).sort());
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

  it('marks assumptions beyond the API document with x-assumed', () => {
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

  it('rejects responses that deviate from it', () => {
    const error = { statusCode: 404, message: 'Not found.' };
    expect(() => checkAnswer('get-transaction', 404, error)).not.toThrow();
    expect(() => checkAnswer('get-transaction', 404, { ...error, more: 1 })).toThrow(/additional properties/);
    expect(() => checkAnswer('get-transaction', 200, error)).toThrow();
    expect(() => checkAnswer('get-transaction', 418, error)).toThrow();
  });
});

/** Sends the example of an operation and checks the response with the document that the server serves. */
async function sendExample(sandbox: TestSandbox, from: Document, path: string) {
  const endpoint = path.split('/').at(-1) as EndpointName;
  const operation = from.paths[path][ENDPOINTS[endpoint].method.toLowerCase()];
  const parameters: { name: string; example: unknown }[] = operation.parameters ?? [];
  const example =
    operation.requestBody?.content['application/json'].example ??
    Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  const answer = await call({ ...sandbox, url: from.servers[0].url }, endpoint, example);
  const judged = { id: `openapi-of-${encodeURIComponent(from.servers[0].url)}`, document: () => from };
  expect(answerProblem(judged, endpoint, answer.status, {})).toMatch(/must have required property/);
  return { path, answer, problem: answerProblem(judged, endpoint, answer.status, answer.json) };
}

it.each([
  ['the plain sandbox', {}],
  ['a sandbox with every habit', { habits: new Set(HABIT_NAMES) }],
  ['a sandbox with other coins', { catalogue: smallCatalogue() }],
])('the examples of the document sent in order to %s succeed', async (_, options) => {
  const sandbox = await sandboxForTest(options);
  const from = await served(sandbox);
  for (const sent of Object.keys(from.paths)) {
    const { path, answer, problem } = await sendExample(sandbox, from, sent);
    expect([path, Math.trunc(answer.status / 100), answer.text.slice(0, 10), problem]).toEqual([
      path,
      2,
      expect.stringMatching(/^\{/),
      null,
    ]);
    const list = answer.json.depositCoins;
    if (list !== undefined) expect(list).toHaveLength(1);
  }
});

const sandbox = await testSandbox();
afterAll(() => sandbox.stop());

describe('the OpenAPI document and the server agree whether to accept', () => {
  it.each([
    ['exchange-coin', { ...QUOTE, amount: '01' }, false],
    ['exchange-coin', { ...QUOTE, amount: '-01' }, false],
    ['exchange-coin', { ...QUOTE, amount: '.5' }, false],
    ['exchange-coin', { ...QUOTE, amount: '1e-1' }, true],
    ['exchange-coin', { ...QUOTE, amount: '0.10' }, true],
    ['get-all-coins', { page: '01' }, false],
    ['get-all-coins', { limit: '100' }, true],
    ['get-all-coins', { limit: '101' }, false],
    ['create-transaction', { ...NEW_SWAP, memo: null }, true],
    ['create-transaction', { ...NEW_SWAP, refundAddress: null }, true],
    ['create-transaction', { ...NEW_SWAP, receiveAddress: null }, false],
    ['create-transaction', { ...NEW_SWAP, lastSource: null }, false],
    ['create-transaction', { ...NEW_SWAP, memo: 1 }, false],
    ['create-transaction', { ...NEW_SWAP, depositAmount: '0.1' }, false],
    ['create-transaction', { ...NEW_SWAP, depositCoin: '' }, false],
  ] as const)('%s with %j', async (endpoint, parameters, isAccepted) => {
    const { status } = await call(sandbox, endpoint, parameters);
    expect([status < 300, requestFits(document, endpoint, parameters)]).toEqual([isAccepted, isAccepted]);
  });
});

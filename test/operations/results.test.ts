import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { FACTS } from '../../src/commands/program/commands.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { errorCodes } from '../../src/operations/errors.ts';
import {
  errorSchema,
  OPERATIONS,
  resultSchema,
  SHAPE_NAMES,
  shapeSchema,
} from '../../src/operations/results.ts';
import { readPage } from '../docs/page.ts';

/** Commands that print text, or what a service sent. */
const WITHOUT_RESULT = ['api', 'sandbox start', 'sandbox openapi'];

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { 'date-time': true } });

describe('the schema of a result', () => {
  it('exists for every command that prints JSON of its own, and for no other', () => {
    expect([...OPERATIONS, ...WITHOUT_RESULT].toSorted()).toEqual(Object.keys(FACTS).toSorted());
    expect(WITHOUT_RESULT.map(resultSchema)).toEqual([null, null, null]);
    expect(resultSchema('toString')).toBeNull();
  });

  it('is valid JSON Schema 2020-12 without references to anything outside', () => {
    const schemas = [...OPERATIONS.map(resultSchema), ...SHAPE_NAMES.map(shapeSchema), errorSchema()];
    for (const schema of schemas) expect(() => ajv.compile(schema ?? {})).not.toThrow();
  });

  it('contains only the definitions that it uses', () => {
    expect(Object.keys(shapeSchema('create')['$defs'] ?? {})).toEqual(['deposit', 'receive']);
    expect(shapeSchema('quote')).not.toHaveProperty('$defs');
    expect(shapeSchema('quote')).toMatchObject({ title: 'quote', type: 'object' });
  });
});

describe('docs/command-line/output.md', () => {
  const { text } = readPage('command-line/output.md');

  /** The keys of a shape as the page gives them: its own after those of the shape that it extends. */
  function documentedKeys(name: string): readonly string[] {
    const [, base, keys = ''] = new RegExp(`^${name} +(?:(\\w+) and )?\\{([^}]*)\\}`, 'm').exec(text) ?? [];
    const own = keys.replace(/\s/g, '').split(',');
    return base === undefined ? own : [...documentedKeys(base), ...own];
  }

  it.each(SHAPE_NAMES.filter((name) => !name.endsWith('Line')))('has the keys of %s', (name) => {
    const { properties, required } = shapeSchema(name) as { properties: object; required: readonly string[] };
    const keys = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
    expect(documentedKeys(name)).toEqual(keys);
  });
});

describe('the table of errors', () => {
  it('has every error code with its exit code, in the order of the codes', () => {
    expect(errorCodes().map(({ code, exitCode }) => [code, exitCode])).toEqual(Object.entries(EXIT_CODES));
  });
});

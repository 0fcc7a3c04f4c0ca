import { Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/base/errors.ts';
import { COMMANDS, loadOperations, namedWords } from '../../../src/cli/command-list.ts';
import { errorCodes } from '../../../src/cli/operations/errors.ts';
import { PARTS } from '../../../src/cli/operations/shapes.ts';
import { readPage } from '../../docs/page.ts';
import { ajv, checkRun, errorSchema, shapeSchema } from '../../helpers/json-schema.ts';
import { IN_LONG_RUN } from '../../helpers/random-runs.ts';

const table = await loadOperations();
const PATHS = [...table.operations.keys()];
const SHAPES = [...table.shapes.keys()].filter((name) => !Object.hasOwn(PARTS, name));

describe('the JSON Schema of a result', () => {
  it('exists for every command with its own JSON output', () => {
    expect(PATHS.filter((path) => table.resultSchema(path) === null)).toEqual([
      'api',
      'mcp',
      'sandbox start',
      'sandbox openapi',
    ]);
    expect(table.resultSchema('toString')).toBeNull();
  });

  it.runIf(IN_LONG_RUN)('is valid JSON Schema 2020-12 without external references', () => {
    const schemas = [
      ...PATHS.map((path) => table.resultSchema(path)),
      ...SHAPES.map(shapeSchema),
      errorSchema(),
    ];
    for (const schema of schemas) expect(() => ajv.compile(schema ?? {})).not.toThrow();
  });

  it('contains only the definitions it uses', () => {
    expect(Object.keys(shapeSchema('create')['$defs'] ?? {}).join(' ')).toBe(
      'swap swapStatus deposit amountOrNull receive',
    );
    expect(shapeSchema('coin')).not.toHaveProperty('$defs');
    expect(shapeSchema('quote')).toMatchObject({ title: 'quote', type: 'object' });
  });
});

type Keys = Readonly<{ allOf?: { $ref: string }[]; properties: object; required: string[] }>;

describe('checkRun, which validates JSON output in tests', () => {
  const check =
    (line: string, stdout: string, failed = false, stderr = '') =>
    () =>
      checkRun(line.split(' '), { stdout, stderr, code: failed ? 1 : 0 });
  const script = '{"shell":"bash","script":"text"}';

  it('accepts output that matches the schema, as a whole or per line', () => {
    expect(check('completion bash --json', script)).not.toThrow();
    expect(check('--json sandbox fault clear', '{"cleared":1}')).not.toThrow();
    expect(check('quote BTC ETH 1 --json', '')).not.toThrow();
    expect(check('completion bash', 'text')).not.toThrow();
    expect(check('completion bash --fields shell', '{"shell":"bash"}')).not.toThrow();
  });

  it('rejects any other output', () => {
    expect(check('completion bash --json', '{"shell":"bash","script":20}')).toThrow('/script must be string');
    expect(check('completion bash --fields script', '{"script":20}')).toThrow('/script must be string');
    expect(check('completion bash --fields=script', script)).toThrow('Not selected of completion: shell');
    expect(check('completion bash --json', `${script}\n{}`)).toThrow("required property 'shell'");
    expect(check('completion bash --json', `${script}\nnot`)).toThrow('Not JSON: not');
    expect(check('completion bash --json', `${script}\n{"sh`, true)).not.toThrow();
    expect(check('completion bash --json', '', true, 'note\n{"error":{"code":"usage"}}\n')).toThrow(
      "'message'",
    );
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

  /** The keys of a shape: its own after those of the shape that it extends. */
  function keysOf(name: string): readonly string[] {
    const { allOf = [], properties, required } = table.shapeOf(name) as unknown as Keys;
    const inherited = allOf.flatMap(({ $ref }) => keysOf($ref.split('/').at(-1) ?? ''));
    const own = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
    return [...inherited, ...own];
  }

  it.each(SHAPES.filter((name) => !name.endsWith('Line')))('lists the keys of %s', (name) => {
    expect(documentedKeys(name).toSorted()).toEqual(keysOf(name).toSorted());
  });
});

it('the table of errors lists every error code with its exit code in order', () => {
  expect(errorCodes().map(({ code, exitCode }) => [code, exitCode])).toEqual(Object.entries(EXIT_CODES));
});

it.each(COMMANDS)('the list of commands shows $name with its arguments', async ({ name, usage, load }) => {
  const command = new Command(name);
  (await load())(command, () => {
    throw new Error('no command is run');
  });
  // That a command takes options need not be said of each.
  const term = new Help().subcommandTerm(command).replace(' [options]', '');
  expect(term).toBe(`${name} ${usage ?? ''}`.trimEnd());
});

it.each([
  [['quote', 'BTC', 'ETH', '1'], 'quote'],
  [['--json', 'quote'], 'quote'],
  [['-p', 'coins', 'quote'], 'quote'],
  [['-qp', 'coins', 'quote'], 'quote'],
  [['--profile=coins', 'quote'], 'quote'],
  [['--timeout', '30s', '--color', 'never', 'status', 'quote'], 'status'],
  [['--help'], undefined],
  [[], undefined],
])('the command name in an argument list is found in %j', (argv, name) => {
  expect(namedWords(argv)[0]).toBe(name);
});

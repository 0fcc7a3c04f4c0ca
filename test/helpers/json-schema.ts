import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ErrorJson } from '../../src/base/errors.ts';
import { loadOperations, namedWords } from '../../src/cli/command-list.ts';
import { errorCodes } from '../../src/cli/operations/errors.ts';
import { ref } from '../../src/cli/operations/schema.ts';

const table = await loadOperations();

/** A validator of another author, which knows the times that we write and no others. */
export const ajv = new Ajv2020({
  strict: true,
  // Shorter code of a validator that runs a few times is not worth the half of its compilation.
  code: { optimize: false },
  strictTypes: false,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/ },
});

const HELP: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

const ERROR_CODES = new Map(errorCodes().map((facts) => [facts.code, facts]));

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string, fields: readonly string[] | null): ValidateFunction {
  const key = `${name}${fields === null ? '' : ' selected'}`;
  const schema = (name === '' ? errorSchema() : table.resultSchema(name)) ?? {};
  const known =
    validators.get(key) ?? ajv.compile(fields === null ? schema : (withoutRequired(schema) as object));
  validators.set(key, known);
  return known;
}

/** The schema of a shape by its name. */
export function shapeSchema(name: string) {
  return table.selfContained(ref(name), name);
}

/** The schema of the last line of standard error of a command that fails. */
export function errorSchema() {
  const schema = { type: 'object', properties: { error: ref('error') }, required: ['error'] };
  return table.selfContained(schema, 'error');
}

/** A schema of which every key may be absent. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'required' || !Array.isArray(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutRequired(value)]));
}

/** How a run ended: `code` is null after a signal, and `isWrapped` where something may have cut its output, or added to it. */
interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly isWrapped?: boolean;
}

/**
 * Throws unless a run ended with an exit code of its command, and everything that it printed with `--json` fits the schemas
 * of its command and of errors.
 */
export function checkRun(args: readonly string[], { stdout, stderr, code, isWrapped = false }: Ended): void {
  const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const path = pathOf(flags);
  const operation = table.operations.get(path ?? '');
  if (!isWrapped && code !== null && operation?.exitCodes.includes(code) === false)
    throw new Error(`${path} ended with ${code}, which the shape.ts of its folder lacks.`);
  const fields = fieldsOf(flags);
  if (!flags.includes('--json') && fields === null) return;
  const hasFailed = isWrapped || code !== 0;
  if (path !== null && operation?.result.length !== 0 && !flags.some((flag) => HELP.has(flag)))
    for (const value of isWrapped ? resultsIn(stdout) : valuesOf(stdout, hasFailed))
      check(path, value, fields);
  const error = stderr.split('\n').findLast((line) => line.startsWith('{')) ?? '';
  if (hasFailed) for (const value of valuesOf(error, true)) checkError(value);
}

/** An error also says the outcome that `help --errors` lists for its code, and whether to repeat. */
function checkError(value: unknown): void {
  check('', value);
  const { code, outcome, retryable } = (value as { error: ErrorJson }).error;
  const facts = ERROR_CODES.get(code);
  if (facts?.outcomes.includes(outcome) !== true || (facts.retryable ?? retryable) !== retryable)
    throw new Error(`${code} is not documented as ${outcome}, retryable: ${retryable}`);
}

/** What `--fields` selects; null without it. */
function fieldsOf(flags: readonly string[]): readonly string[] | null {
  const at = flags.findIndex((flag) => flag.startsWith('--fields'));
  const [, joined] = flags[at]?.split('=') ?? [];
  return at < 0 ? null : (joined ?? flags[at + 1] ?? '').split(',');
}

/** The longest path that a command line begins with. */
function pathOf(args: readonly string[]): string | null {
  const words = namedWords(args);
  const paths = [3, 2, 1].map((count) => words.slice(0, count).join(' '));
  return paths.find((path) => table.operations.has(path)) ?? null;
}

/** The value that a text is, or the one of each line. The last line of a run that was cut short may be incomplete. */
function valuesOf(text: string, mayBeCut: boolean): readonly unknown[] {
  if (text.trim() === '') return [];
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line, index) => {
    const value = parsed(line);
    if (value !== undefined) return [value];
    if (mayBeCut && index === lines.length - 1) return [];
    throw new Error(`Not JSON: ${line.slice(0, 200)}`);
  });
}

/** The lines that are whole results, among whatever else a script around the program shows. */
function resultsIn(text: string): readonly unknown[] {
  const values = text.split('\n').map(parsed);
  return values.filter((value) => typeof value === 'object' && !/^\{"error":/.test(JSON.stringify(value)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function check(name: string, value: unknown, fields: readonly string[] | null = null): void {
  const validate = validatorOf(name, fields);
  const kind = name === '' ? 'an error' : name;
  const text = JSON.stringify(value).slice(0, 1500);
  if (!validate(value)) {
    const problems = validate.errors?.slice(0, 8).map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`Not ${kind}: ${problems?.join('; ')}\n${text}`);
  }
  const selected = fields?.map((field) => field.split('.')[0]) ?? [];
  const items = fields === null ? [] : [value].flat();
  for (const key of items.flatMap((item) => Object.keys(item as object)))
    if (!selected.includes(key)) throw new Error(`Not selected of ${kind}: ${key}\n${text}`);
}

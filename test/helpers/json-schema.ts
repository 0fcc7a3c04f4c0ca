import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { namedWords } from '../../src/command-list.ts';
import { operationOf } from '../../src/operations/operations.ts';
import { errorSchema, resultSchema } from '../../src/operations/results.ts';

/** A validator of another author, which knows the times that we write and no others. */
export const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/ },
});

const HELP: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name) ?? ajv.compile((name === '' ? errorSchema() : resultSchema(name)) ?? {});
  validators.set(name, known);
  return known;
}

/** Throws unless everything that a run with `--json` printed fits the schemas of its command and of errors. */
export function checkJson(
  args: readonly string[],
  { stdout, stderr, failed }: { readonly stdout: string; readonly stderr: string; readonly failed: boolean },
): void {
  const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  // A selection lacks keys that the schema requires.
  const isSelected = flags.some((flag) => flag.startsWith('--fields'));
  if (!flags.includes('--json') && !isSelected) return;
  const path = pathOf(flags);
  if (path !== null && !isSelected && !flags.some((flag) => HELP.has(flag)))
    for (const value of valuesOf(stdout, failed)) check(path, value);
  const error = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (failed && error.startsWith('{')) for (const value of valuesOf(error, true)) check('', value);
}

/** The longest path that a command line begins with. */
function pathOf(args: readonly string[]): string | null {
  const words = namedWords(args);
  const paths = [3, 2, 1].map((count) => words.slice(0, count).join(' '));
  return paths.find((path) => (operationOf(path)?.result ?? []).length > 0) ?? null;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function check(name: string, value: unknown): void {
  const validate = validatorOf(name);
  if (validate(value)) return;
  const problems = validate.errors?.slice(0, 8).map((error) => `${error.instancePath} ${error.message}`);
  throw new Error(
    `Not ${name === '' ? 'an error' : name}: ${problems?.join('; ')}\n${JSON.stringify(value).slice(0, 1500)}`,
  );
}

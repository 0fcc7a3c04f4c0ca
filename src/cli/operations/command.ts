import type { ArgumentData, CommandData, CommandInput, CommandSchemas, OptionData } from './command-line.ts';
import { AMOUNT, BOOLEAN, INTEGER, type JsonSchema, listOf, NUMBER, oneOf, TEXT, TRUE } from './schema.ts';

/** The schema of values by the name that the help gives them; any other value is text. */
const VALUES: Readonly<Record<string, JsonSchema>> = {
  n: INTEGER,
  bytes: INTEGER,
  amount: AMOUNT,
  rate: AMOUNT,
  seconds: NUMBER,
  duration: { type: 'string', pattern: '^[0-9]{1,6}(ms|s|m|h|d)$' },
  percentage: { type: 'string', pattern: '^[0-9.]+%$' },
};

/** The schemas of a command; `result` is that of its JSON, null if it prints text or a service's response. */
export function commandSchemas(command: CommandData, result: JsonSchema | null): CommandSchemas {
  const { path, usage, description, changes, exitCodes } = command;
  // Without what the documentation says about all of them, because a reader pays for each byte.
  const { $schema: _, title: __, ...rest } = result ?? {};
  const output = result === null ? null : rest;
  return { path, usage, description, changes, input: inputSchema(command), output, exitCodes };
}

/** The schema of arguments and options, by the words that a command line has for them. */
function inputSchema({ arguments: words, options }: CommandInput) {
  const properties = Object.fromEntries([
    ...words.map((argument) => [argument.name, argumentSchema(argument)] as const),
    ...options.map((option) => [option.long, optionSchema(option)] as const),
  ]);
  const required = words.filter((argument) => argument.required).map(({ name }) => name);
  const needed = required.length === 0 ? {} : { required };
  return { type: 'object', properties, ...needed, additionalProperties: false };
}

/** What a tool specifies about its arguments beyond its command. */
export interface ToolArguments {
  /** Arguments and options of the command that the tool leaves out, by their words on the command line. */
  readonly leaves: readonly string[];
  /** Additional or redefined arguments. */
  readonly adds?: Readonly<Record<string, JsonSchema>>;
  /** Additional required arguments. */
  readonly requires?: readonly string[];
}

/** Maximum length of a tool's text argument, in characters. */
const MAX_ARGUMENT = 300;

/** The schema of a tool's arguments: those of its command in camel case, one value each. Unknown ones are refused. */
export function toolSchema(
  command: CommandInput,
  { leaves, adds = {}, requires = [] }: ToolArguments,
): JsonSchema {
  const taken = inputSchema({
    arguments: command.arguments
      .filter(({ name }) => !leaves.includes(name))
      .map((argument) => ({ ...argument, variadic: false })),
    options: command.options.filter(({ long }) => !leaves.includes(long)),
  });
  // Without a pattern, since the error of the command explains more.
  const properties = Object.entries(taken.properties).map(([word, { pattern: _, ...schema }]) => [
    camelCase(word),
    schema['type'] === 'string' ? { ...schema, maxLength: MAX_ARGUMENT } : schema,
  ]);
  return {
    ...taken,
    properties: { ...Object.fromEntries(properties), ...adds },
    required: [...new Set([...(taken.required ?? []), ...requires])],
  };
}

/** The name of an argument of a tool: `refundAddress` for `--refund-address`. */
export function camelCase(word: string): string {
  return word.replace(/^--/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function argumentSchema({ name, description, variadic, choices }: ArgumentData): JsonSchema {
  const value = valueSchema(name, choices);
  return { ...(variadic ? listOf(value) : value), description };
}

function optionSchema(option: OptionData): JsonSchema {
  const { value, valueRequired, repeatable, choices, description } = option;
  const one = value === null ? BOOLEAN : valueSchema(value, choices);
  const given = valueRequired || value === null ? one : { anyOf: [one, TRUE] };
  const usual = option.default === null ? {} : { default: option.default };
  return { ...(repeatable ? listOf(given) : given), description, ...usual };
}

/** Values that are lists with commas. */
const LISTS: ReadonlySet<string> = new Set(['types', 'habits']);

function valueSchema(name: string, choices: readonly string[] | null): JsonSchema {
  if (choices === null) return VALUES[name] ?? TEXT;
  if (!LISTS.has(name)) return oneOf(...choices);
  const word = `(${choices.map((choice) => choice.replaceAll('.', '\\.')).join('|')})`;
  return { type: 'string', pattern: `^${word}(,${word})*$` };
}

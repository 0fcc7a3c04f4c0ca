import type { Argument, Command, Option } from 'commander';
import { EXIT_CODES } from '../../../base/errors.ts';
import { firstSentence } from '../../../base/text.ts';
import { commandSchemas } from '../../operations/command.ts';
import type {
  ArgumentData,
  CommandData,
  CommandInput,
  CommandLineData,
  OptionData,
} from '../../operations/command-line.ts';
import { fieldNames } from '../../operations/fields.ts';
import type { Operation } from '../../operations/operations.ts';
import type { OperationTable } from '../../operations/results.ts';
import { EXIT_MEANINGS } from '../../views/help-topics.ts';
import { collected, HELP_TOPICS } from './arguments.ts';

/** The command line as data, made from the declarations of the commands and the table of operations. */
function describeProgram(program: Command, table: OperationTable): CommandLineData {
  return {
    commands: program.commands.flatMap((command) => [...describeCommands(command, table)]),
    globalOptions: program
      .createHelp()
      .visibleOptions(program)
      .map((option) => describeOption(option, undefined)),
    exitCodes: EXIT_MEANINGS.map(([code, meaning]) => ({ code, meaning })),
    errorCodes: Object.entries(EXIT_CODES).map(([code, exitCode]) => ({ code, exitCode })),
  };
}

/** One command with schemas of its input and result, or a group with its verbs; for no words the whole command line. */
export function describeCommand(program: Command, table: OperationTable, words: readonly string[]) {
  const data = describeProgram(program, table);
  if (words.length === 0) return data;
  const path = words.join(' ');
  const commands = data.commands.filter((each) => each.path === path || each.path.startsWith(`${path} `));
  const [command] = commands;
  return command?.runnable === true
    ? commandSchemas(command, table.resultSchema(path))
    : { ...data, commands };
}

/** What the command with a path such as `policy set` takes; undefined if there is none. */
export function inputAt(program: Command, table: OperationTable, path: string): CommandInput | undefined {
  let command: Command | undefined = program;
  for (const name of path.split(' ')) command = command?.commands.find((each) => each.name() === name);
  return command === undefined ? undefined : inputOf(command, table.operations.get(path));
}

function inputOf(command: Command, facts: Operation | undefined): CommandInput {
  return {
    arguments: command.registeredArguments.map((argument) => describeArgument(argument, facts)),
    options: command.options.filter(({ hidden }) => !hidden).map((option) => describeOption(option, facts)),
  };
}

function* describeCommands(
  command: Command,
  table: OperationTable,
  parent = '',
  group = command.helpGroup().replace(/:$/, ''),
): Generator<CommandData> {
  const path = `${parent} ${command.name()}`.trim();
  yield describe(command, table, path, group);
  for (const verb of command.commands) yield* describeCommands(verb, table, path, group);
}

function describe(command: Command, table: OperationTable, path: string, group: string): CommandData {
  const facts = table.operations.get(path);
  const description = command.description().replaceAll('\n', ' ');
  return {
    path,
    group,
    usage: ['swapctl', path, ...command.registeredArguments.map(usageWord)].join(' '),
    summary: command.summary() || firstSentence(description),
    description,
    runnable: facts !== undefined,
    ...inputOf(command, facts),
    examples: examplesOf(command),
    exitCodes: facts?.exitCodes ?? [0, 2],
    changes: facts?.changes ?? 'nothing',
    json: table.resultName(path),
    fields: fieldNames(table.resultSchema(path)),
  };
}

function usageWord(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function describeArgument(argument: Argument, facts: Operation | undefined): ArgumentData {
  const name = argument.name();
  return {
    name,
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: argument.argChoices ?? (name === 'words' ? HELP_TOPICS : facts?.values?.[name]) ?? null,
  };
}

function describeOption(option: Option, facts: Operation | undefined): OptionData {
  const { flags, description, defaultValue } = option;
  const long = option.long ?? flags;
  return {
    flags,
    short: option.short ?? null,
    long,
    description,
    value: /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? null,
    valueRequired: option.required,
    repeatable: option.variadic || option.parseArg === collected,
    choices: option.argChoices ?? facts?.values?.[long] ?? null,
    // Commander makes up a default for flags such as `--no-memo`.
    default: option.negate ? null : (defaultValue ?? null),
  };
}

/** The lines below `Examples:` in the help, as the command declares it. */
function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { EXIT_CODES, UsageError } from '../../errors.ts';
import { commandSchemas } from '../../operations/command.ts';
import { errorCodes } from '../../operations/errors.ts';
import { type Operation, operationOf } from '../../operations/operations.ts';
import { resultName } from '../../operations/results.ts';
import { firstSentence } from '../../text.ts';
import {
  type ArgumentData,
  type CommandData,
  type CommandLineData,
  commandLineView,
  errorCodesView,
  manualPage,
  type OptionData,
} from '../../views/program/command-line.ts';
import { EXIT_MEANINGS } from '../../views/program/help-topics.ts';
import { collected } from '../shared/labels.ts';
import { findCommand } from './help.ts';
import { HELP_TOPICS } from './usage-error.ts';

/** Flags of `swapctl commands`. */
interface CommandsOptions {
  readonly man?: boolean;
  readonly errors?: boolean;
}

/** Declares `swapctl commands`. */
export function commandsCommand(command: Command, context: () => Context): void {
  command
    .description(
      'List every command. With --json, print the whole command line as data: arguments, flags, examples, exit codes and the type of the JSON result; of one command, with JSON Schemas of its input and result.',
    )
    .argument('[path...]', 'only this command')
    .option('--errors', 'list error codes: meaning, exit code, whether to repeat, and the fix')
    .option('--man', 'print the manual page in roff')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl commands\n  $ swapctl commands --json | jq -r ".commands[].path"\n  $ swapctl commands sandbox fault add --json\n  $ swapctl commands --errors --json\n  $ swapctl commands --man | man -l -',
    )
    .action((path: readonly string[], options: CommandsOptions) =>
      runCommands(context(), command.parent ?? command, path, options),
    );
}

/** Prints the command line of a program as a list or as data, one command of it, its error codes, or its manual page. */
export async function runCommands(
  { streams }: Context,
  program: Command,
  words: readonly string[],
  { errors = false, man = false }: CommandsOptions,
): Promise<void> {
  if ([errors, man, words.length > 0].filter(Boolean).length > 1)
    throw new UsageError('--errors, --man and the name of a command cannot be combined.');
  if (errors) return streams.print(errorCodesView(errorCodes()));
  const data = describeProgram(program);
  if (man) return streams.write(manualPage(data));
  if (words.length === 0) return streams.print(commandLineView(data.commands, () => data));
  findCommand(program, words);
  const path = words.join(' ');
  const commands = data.commands.filter((each) => each.path === path || each.path.startsWith(`${path} `));
  const [command] = commands;
  const json = () => (command?.runnable === true ? commandSchemas(command) : { ...data, commands });
  await streams.print(commandLineView(commands, json));
}

/** The command line of a program as data, made from what its commands declare and the table of operations. */
export function describeProgram(program: Command): CommandLineData {
  return {
    commands: program.commands.flatMap((command) => [...describeCommands(command, '')]),
    globalOptions: visibleOptions(program).map((option) => describeOption(option, undefined)),
    exitCodes: EXIT_MEANINGS.map(([code, meaning]) => ({ code, meaning })),
    errorCodes: Object.entries(EXIT_CODES).map(([code, exitCode]) => ({ code, exitCode })),
  };
}

/** A command and its verbs, in the order of the help. */
function* describeCommands(command: Command, parent: string, group?: string): Generator<CommandData> {
  const path = `${parent} ${command.name()}`.trim();
  const own = group ?? command.helpGroup().replace(/:$/, '');
  const facts = operationOf(path);
  const description = command.description().replaceAll('\n', ' ');
  yield {
    path,
    group: own,
    usage: ['swapctl', path, ...command.registeredArguments.map(usageWord)].join(' '),
    summary: command.summary() || firstSentence(description),
    description,
    runnable: facts !== undefined,
    arguments: command.registeredArguments.map((argument) => describeArgument(argument, facts)),
    options: command.options.map((option) => describeOption(option, facts)),
    examples: examplesOf(command),
    exitCodes: facts?.exitCodes ?? [0, 2],
    changes: facts?.changes ?? 'nothing',
    json: resultName(path),
  };
  for (const verb of command.commands) yield* describeCommands(verb, path, own);
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

function visibleOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** The lines below `Examples:` in the help, as the command declares it. */
function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

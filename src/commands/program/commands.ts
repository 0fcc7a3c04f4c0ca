import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { EXIT_CODES } from '../../errors.ts';
import { firstSentence } from '../../text.ts';
import {
  type ArgumentData,
  type CommandData,
  type CommandLineData,
  commandLineView,
  manualPage,
  type OptionData,
} from '../../views/program/command-line.ts';
import { EXIT_MEANINGS } from '../../views/program/help-topics.ts';
import { type CommandFacts, FACTS } from './facts.ts';

/** Declares `swapctl commands`. */
export function commandsCommand(command: Command, context: () => Context, run = runCommands): void {
  command
    .description(
      'List every command. With --json, print the whole command line as data: arguments, flags, examples, exit codes and the type of the JSON result.',
    )
    .option('--man', 'print the manual page in roff')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl commands\n  $ swapctl commands --json | jq -r ".commands[].path"\n  $ swapctl commands --man | man -l -',
    )
    .action(({ man = false }: { readonly man?: boolean }) => run(context(), command.parent ?? command, man));
}

/** Prints the command line of a program as a list or as data, or its manual page. */
export async function runCommands({ streams }: Context, program: Command, man: boolean): Promise<void> {
  const data = describeProgram(program);
  await (man ? streams.write(manualPage(data)) : streams.print(commandLineView(data)));
}

/** The command line of a program as data, made from what its commands declare and {@link FACTS}. */
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
  const facts = Object.hasOwn(FACTS, path) ? FACTS[path] : undefined;
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
    json: facts?.json ?? null,
  };
  for (const verb of command.commands) yield* describeCommands(verb, path, own);
}

function usageWord(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function describeArgument(argument: Argument, facts: CommandFacts | undefined): ArgumentData {
  const name = argument.name();
  return {
    name,
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: argument.argChoices ?? facts?.values?.[name] ?? null,
  };
}

function describeOption(option: Option, facts: CommandFacts | undefined): OptionData {
  const { flags, description, defaultValue } = option;
  const long = option.long ?? flags;
  return {
    flags,
    short: option.short ?? null,
    long,
    description,
    value: /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? null,
    valueRequired: option.required,
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

import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { commandSchemas } from '../../operations/command.ts';
import { errorCodes } from '../../operations/errors.ts';
import { commandLineView, errorCodesView, manualPage } from '../../views/program/command-line.ts';
import { describeProgram } from '../shared/described.ts';
import { findCommand } from './help.ts';

interface CommandsOptions {
  readonly man?: boolean;
  readonly errors?: boolean;
}

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

/** Prints the command line as a list or as data, one of its commands, the error codes, or the manual page. */
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

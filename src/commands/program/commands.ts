import type { Command } from 'commander';
import type { Context } from '../../context.ts';

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
    .action((flags: Record<string, unknown>) =>
      run(context(), command.parent ?? command, flags['man'] === true),
    );
}

/** Prints the command line of a program as a list or as data, or its manual page. */
export async function runCommands({ streams }: Context, program: Command, man: boolean): Promise<void> {
  const { describeProgram } = await import('./describe.ts');
  const data = describeProgram(program);
  if (man) {
    const { manualPage } = await import('../../views/program/manual-page.ts');
    return streams.write(manualPage(data));
  }
  const { commandLineView } = await import('../../views/program/command-line.ts');
  await streams.print(commandLineView(data));
}

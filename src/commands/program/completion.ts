import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Context } from '../../context.ts';
import { joined, shown, visible } from '../../text.ts';
import type { Shell } from './shells.ts';
import { SCRIPTS, SHELLS } from './shells.ts';

/** Declares `swapctl completion`. */
export function completionCommand(command: Command, context: () => Context, run = runCompletion): void {
  command
    .description(
      'Print a completion script for commands, flags, coins, networks, open orders and profiles. It reads only local files.',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices([...SHELLS]))
    .addHelpText(
      'after',
      `
Add one of these to ~/.bashrc, to ~/.zshrc after compinit, or to ~/.config/fish/config.fish.

Examples:
  $ source <(swapctl completion bash)
  $ source <(swapctl completion zsh)
  $ swapctl completion fish | source`,
    )
    .action((shell: Shell) => run(context(), shell));
}

/** Prints the script of a shell. */
export async function runCompletion({ streams }: Context, shell: Shell): Promise<void> {
  const script = SCRIPTS[shell];
  if (streams.format === 'json') return streams.printLine({ shell, script });
  await streams.write(joined(script.split('\n').map(visible), shown`\n`));
}

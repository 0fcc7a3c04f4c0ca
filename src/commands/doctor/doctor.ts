import type { Command } from 'commander';
import type { Context } from '../../context.ts';

/** Declares `swapctl doctor`. */
export function doctorCommand(command: Command, context: () => Context, run = runLater): void {
  command
    .description(
      'Check settings, files, key pair, signature, network, clock and terminal. Each failed check lists a fix; nothing is changed.\nExits with 1 if a check failed.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl doctor\n  $ swapctl doctor -p prod\n  $ swapctl doctor --json | jq -r \'.checks[] | select(.state == "fail") | .remedy\'',
    )
    .action(() => run(context()));
}

async function runLater(context: Context): Promise<void> {
  const { runDoctor } = await import('./run.ts');
  await runDoctor(context);
}

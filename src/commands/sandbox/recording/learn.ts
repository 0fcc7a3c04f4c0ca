import type { Command } from 'commander';
import type { Context } from '../../../context.ts';
import type { LearnOptions } from './learner.ts';

/** Declares `swapctl sandbox learn`. */
export function sandboxLearnCommand(command: Command, context: () => Context, run = runLearn): void {
  command
    .summary('make an overlay from a recording')
    .description(
      'Make an overlay for `sandbox start --overlay` from what a HAR file shows of a service: coins, networks, bounds, habits and decisions. Says what the recording does not show, and which call would. Reads the file alone and sends nothing.',
    )
    .argument('<file.har>', 'a recording of `sandbox record`, of a browser or of a proxy')
    .option(
      '-o, --output <file>',
      'write the overlay to this file, which must not exist yet (default: standard output)',
    )
    .option('--host <host>', 'the service to learn from, where the recording has several')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox learn service.har -o service.json\n  $ swapctl sandbox learn service.har --json | jq .missing',
    )
    .action((file: string, flags: Record<string, unknown>) => {
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      return run(context(), { file, output: text('output'), host: text('host') });
    });
}

async function runLearn(context: Context, options: LearnOptions): Promise<void> {
  const { learn } = await import('./learner.ts');
  await learn(context, options);
}

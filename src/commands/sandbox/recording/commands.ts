import type { Command } from 'commander';
import type { Context } from '../../../context.ts';
import { portArgument } from '../../shared/arguments.ts';
import type { LearnOptions } from './learner.ts';
import type { RecordOptions } from './recorder.ts';

/** Declares `swapctl sandbox record`. */
export function sandboxRecordCommand(command: Command, context: () => Context, run = runRecord): void {
  command
    .summary("pass a client's calls on to a service, check its answers, and keep them")
    .description(
      "Pass a client's calls on to the service of the profile, unchanged: the client signs them itself. Each answer is checked against the OpenAPI document, and all are kept in a HAR file without credentials, until Ctrl-C. A POST or PATCH is refused without --write.",
    )
    .option('--port <n>', 'port on loopback, 0 for a free one', portArgument, 4020)
    .option('-o, --output <file>', 'HAR file, which must not exist yet (default: one named after the time)')
    .option('--write', 'pass on POST and PATCH as well: creates are real')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox record -p partner\n  $ swapctl sandbox record -p partner --port 0 -o service.har',
    )
    .action((flags: Record<string, unknown>) =>
      run(context(), {
        port: typeof flags['port'] === 'number' ? flags['port'] : 4020,
        output: typeof flags['output'] === 'string' ? flags['output'] : null,
        write: flags['write'] === true,
      }),
    );
}

async function runRecord(context: Context, options: RecordOptions): Promise<void> {
  const { record } = await import('./recorder.ts');
  await record(context, options);
}

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

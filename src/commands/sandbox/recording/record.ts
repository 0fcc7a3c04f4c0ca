import type { Command } from 'commander';
import type { Context } from '../../../context.ts';
import { portArgument } from '../../shared/arguments.ts';
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

import type { Command } from 'commander';
import type { Context } from '../../../context.ts';
import { type Flags, portArgument, readFlags } from '../../shared/arguments.ts';
import { withExamples } from '../verb.ts';

export function sandboxRecordCommand(command: Command, context: () => Context): void {
  withExamples(command, 'record -p partner', 'record -p partner --port 0 -o service.har')
    .summary("record a client's requests to a service and check the responses")
    .description(
      "Forward a client's requests unchanged to the service of the profile, until Ctrl-C; the client signs them itself. Each response is checked against the OpenAPI document, and every call is recorded in a HAR file without credentials. POST and PATCH are refused without --write.",
    )
    .option('--port <n>', 'port on loopback, 0 for a free one', portArgument, 4020)
    .option('-o, --output <file>', 'new HAR file (default: named after the current time)')
    .option('--write', 'also forward POST and PATCH; they create real orders')
    .action(async (flags: Flags) =>
      (await import('./recorder.ts')).record(context(), {
        port: readFlags(flags).number('port') ?? 4020,
        output: readFlags(flags).text('output'),
        write: flags['write'] === true,
      }),
    );
}

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

export function sandboxLearnCommand(command: Command, context: () => Context): void {
  withExamples(command, 'learn service.har -o service.json', 'learn service.har --json | jq .missing')
    .summary('create an overlay from a recording')
    .description(
      'Create an overlay for `sandbox start --overlay` from the coins, networks, limits, habits and decisions that a HAR file shows. Lists what the recording does not show, and which call would. Sends nothing.',
    )
    .argument('<file.har>', 'HAR file from `sandbox record`, a browser or a proxy')
    .option('-o, --output <file>', 'write the overlay to this new file (default: standard output)')
    .option('--host <host>', 'service to learn from, if the recording has several')
    .action(async (file: string, flags: Flags) => {
      const { text } = readFlags(flags);
      const { learn } = await import('./learner.ts');
      return learn(context(), { file, output: text('output'), host: text('host') });
    });
}

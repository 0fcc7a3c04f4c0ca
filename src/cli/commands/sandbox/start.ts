import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { RateLimit } from '../../../sandbox/limits/rate-limiter.ts';
import type { Context } from '../../context.ts';
import { budgetArgument, countArgument, portArgument } from '../shared/arguments.ts';
import type { RecordOptions } from './recording/recorder.ts';
import type { SandboxStartOptions } from './serve.ts';
import { databaseOption, withExamples } from './verb.ts';

export function sandboxStartCommand(command: Command, context: () => Context, run = runStart): void {
  withExamples(
    command,
    'start',
    'start --port 0 --time-scale 10 --seed 1',
    'start --ephemeral --port 0 --admin-port 0',
    'start --rough text-amounts,networks-required',
    'start --scenario success --time-scale 10',
  )
    .summary('run the service in the foreground')
    .description(
      'Run the service in the foreground. Prints its address on the first line, then one line per request, unless --quiet.',
    )
    .option('--port <n>', 'port, 0 for a free one', portArgument, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(databaseOption())
    .option('--ephemeral', 'keep everything in memory, and print the key pair as JSON on the second line')
    .option('--time-scale <n>', 'speed up swaps by this factor', countArgument, 1)
    .option('--rate-limit <limit>', 'requests per key, such as 120/60s', rateLimitArgument)
    .option('--catalog <file>', 'JSON file with the coins to offer')
    .option(
      '--seed <n>',
      'seed for reproducible responses; each request advances the clock by a second',
      seedArgument,
    )
    .option(
      '--rough [habits]',
      'emulate a service that deviates from its API document: in every way known (habits), or in those listed, comma-separated; an unknown name lists them',
    )
    .option('--scenario <name>', 'outcome of every order, reached automatically; an unknown name lists them')
    .option(
      '--magic',
      'magic amounts: the last two decimals of the deposit decide the outcome: .13 error, .19 refund, .07 short window, .23 slow, .62 success without payout',
    )
    .option(
      '--overlay <file>',
      'make it like another service: a JSON file with its coins, habits, limits and decisions, or a house rule, a way in which some services treat orders: house-minimum, aml-commission, late-by-support; flags take precedence',
    )
    .option('--admin-port <n>', 'serve the operator API on this loopback port', portArgument)
    .option(
      '--ui <port>',
      'serve a web page of this sandbox on this loopback port, 0 for a free one',
      portArgument,
    )
    .option('--tls-cert <file>', 'certificate for https')
    .option('--tls-key <file>', 'private key of the certificate')
    .action((options: SandboxStartOptions) => {
      refuseProfile(context().flags.profile);
      if ((options.tlsCert === undefined) !== (options.tlsKey === undefined))
        throw new UsageError('--tls-cert and --tls-key must be used together.');
      if (options.ephemeral === true && options.database !== undefined)
        throw new UsageError('--ephemeral and --database cannot be combined.');
      return run(context(), options);
    });
}

export function sandboxRecordCommand(command: Command, context: () => Context): void {
  withExamples(command, 'record -p partner', 'record -p partner --port 0 -o service.har')
    .summary("record a client's requests to a service and check the responses")
    .description(
      "Forward a client's requests unchanged to the service of the profile, until Ctrl-C; the client signs them itself. Each response is checked against the OpenAPI document, and every call is recorded in a HAR file without credentials. POST and PATCH are refused without --write.",
    )
    .option('--port <n>', 'port on loopback, 0 for a free one', portArgument, 4020)
    .option('-o, --output <file>', 'new HAR file (default: named after the current time)')
    .option('--write', 'also forward POST and PATCH; they create real orders')
    .action(async (flags: RecordOptions) =>
      (await import('./recording/recorder.ts')).record(context(), flags),
    );
}

/** `-p` is the profile everywhere, and the port in other programs. */
function refuseProfile(profile: string | undefined): void {
  if (profile === undefined) return;
  const hint = /^[0-9]{1,5}$/.test(profile) ? `Did you mean --port ${profile}?` : 'Leave --profile out.';
  const problem = '--profile (-p) cannot be used with `sandbox start`, which is the service itself.';
  throw new UsageError(problem, hint);
}

/** Reads a limit of the service, such as `120/60s`. */
function rateLimitArgument(text: string): RateLimit {
  const { requests, durationMs } = budgetArgument(text);
  return { count: requests, windowSeconds: durationMs / 1000 };
}

export function seedArgument(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number.parseInt(text, 10);
  throw new InvalidArgumentError('Use a whole number of up to nine digits.');
}

const runStart = async (context: Context, options: SandboxStartOptions) =>
  (await import('./serve.ts')).serveSandbox(context, options);
